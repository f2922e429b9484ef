/// How a page looks: calm, one column of cards, light or dark as the reader's system is, narrow enough for a telephone.
enum PageStyle {
    /// The SHA-256 of ``text`` in Base64, by which the page's policy admits it and no other style; a test holds it against the text.
    static let hash = "ZvZwPztcwzC0jzGbPU5iiAJr+mg3rk6U0aONuaQcs8s="

    static let text: StaticString = """
        :root {
          --ground: #f7f7f5; --card: #fff; --ink: #1c2126; --soft: #59636e; --line: #e1e4e8; --kept: #4a7fb5; --lost: #c43d2f; --maybe: #8a5a00;
          --good: #2c7a4b; --maybe-fill: #d9a33c; --heat: 74, 127, 181; --focus: #0b5fd6; --shade: rgba(20, 25, 30, .35);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171a; --card: #1c2024; --ink: #e7e9eb; --soft: #a0a9b3; --line: #30363d; --kept: #6b9fd4; --lost: #f07b6b; --maybe: #dba63f;
            --good: #6cc08f; --maybe-fill: #c9973a; --heat: 107, 159, 212; --focus: #7db4ff; --shade: rgba(0, 0, 0, .55);
          }
        }
        * { box-sizing: border-box; }
        html { background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
          -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 4rem; }
        body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; overflow-wrap: break-word; }
        h1 { font-size: 1.75rem; line-height: 1.25; font-weight: 650; margin: .25rem 0 .5rem; letter-spacing: -.01em; text-wrap: balance; }
        h2 { font-size: 1.15rem; font-weight: 650; margin: 2.5rem 0 .75rem; }
        h3, caption { font-size: .95rem; font-weight: 650; }
        h4 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 1.25rem 0 .5rem; }
        p { margin: .25rem 0; }
        a { color: inherit; text-underline-offset: .2em; }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
        .soft, .brand { color: var(--soft); }
        .brand { font-size: .85rem; }
        .lost { color: var(--lost); } .maybe { color: var(--maybe); } .good { color: var(--good); }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 3; }
        nav { margin: 1rem 0 0; font-size: .9rem; }
        nav a { display: inline-block; margin: .2rem 1.1rem .2rem 0; color: var(--soft); }

        .examples { margin: 1rem 0; padding: 0 0 0 1.1rem; font-size: 1.05rem; }
        .examples li { margin: .35rem 0; }
        .examples li::marker { color: var(--lost); }
        .link { border: 0; padding: 0; background: none; text-decoration: underline; text-underline-offset: .2em; color: var(--soft); }
        .about { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 1rem 0; font-size: .9rem; }
        .about div { display: flex; gap: .6rem; min-width: 0; }
        .about dt { color: var(--soft); flex: none; }
        .about dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
        .figures { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 1.5rem 0 0; padding: 1.1rem 0; border: solid var(--line);
          border-width: 1px 0; }
        .figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
        .figures dt { font-size: .85rem; color: var(--soft); }
        .figures dd { margin: 0; font-size: 1.6rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }

        .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.1rem; }
        #health .card { margin: 0 0 1rem; } #health thead td { width: auto; } #health .words { text-align: left; }
        #health tbody th { min-width: 9rem; } #health thead .words:last-child { width: 50%; }
        .cards { columns: 22rem; column-gap: 1rem; }
        .cards.wide { columns: 28rem; }
        .cards .card { break-inside: avoid; margin: 0 0 1rem; }
        .scroll { overflow-x: auto; }
        th, .figure td { overflow-wrap: anywhere; }

        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        caption { text-align: left; padding: 0 0 .4rem; }
        th { font-weight: 400; text-align: left; }
        th, td { padding: .25rem 0; vertical-align: top; }
        thead th, .figure th[scope=col] { color: var(--soft); font-size: .8rem; font-weight: 400; }
        .figure td, .figure th[scope=col] { text-align: right; }
        .figure td, .figure th[scope=col] { padding-left: .9rem; white-space: nowrap; }
        .figure .words { text-align: left; white-space: normal; min-width: 8rem; }
        .figure .rest th, .figure .rest td { color: var(--soft); }
        .figure thead td { width: 100%; }
        .bar { display: block; width: 100%; height: 5px; margin: 1px 0 3px; }
        .bar .track { fill: var(--line); }
        .kept { fill: var(--kept); } rect.lost { fill: var(--lost); } rect.maybe { fill: var(--maybe-fill); }
        .zero { color: var(--soft); }

        .chart { display: grid; grid-template-columns: auto 1fr; gap: .3rem .6rem; font-size: .8rem; color: var(--soft);
          font-variant-numeric: tabular-nums; }
        .chart svg { width: 100%; height: 12rem; border-bottom: 1px solid var(--soft); }
        .chart g:hover { opacity: .7; }
        .chart line { stroke: var(--line); }
        .scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; }
        .axis { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; }
        .key { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 .8rem; padding: 0; list-style: none; font-size: .85rem; }
        .key svg { width: .8em; height: .8em; margin-right: .45em; overflow: visible; }
        details summary { cursor: pointer; color: var(--soft); font-size: .85rem; margin-top: .8rem; width: max-content; }

        [data-pick] button { display: block; width: 100%; border: 0; padding: 0; margin: 0; background: none; text-align: inherit; border-radius: 3px;
          overflow-wrap: inherit; }
        [data-pick] button:hover { text-decoration: underline; text-underline-offset: .2em; }
        [data-pick] .picked { font-weight: 650; text-decoration: underline; text-underline-offset: .2em; }
        g[data-pick] { cursor: pointer; }
        #chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0; padding: 0; list-style: none; }
        #chips:empty { display: none; }
        .chip { border-radius: 1.2em; border-color: var(--focus); padding: .3rem .8rem; max-width: 100%; overflow-wrap: anywhere; text-align: left; }
        .chip::after { content: " ×"; content: " ×" / ""; color: var(--soft); }
        #more { margin: 1rem 0; text-align: center; }
        #more[hidden] { display: none; }
        details.more > summary { font-size: .95rem; margin: 0 0 1rem; }

        .matrix { width: auto; }
        .matrix th, .matrix td { padding: .3rem .5rem; border: 2px solid var(--card); text-align: right; overflow-wrap: break-word; }
        .matrix span { display: inline-block; max-width: 7.5rem; }
        .matrix tbody th { position: sticky; left: 0; background: var(--card); }
        .matrix thead th { vertical-align: bottom; color: var(--ink); }
        .matrix thead th:first-child { white-space: nowrap; color: var(--soft); }
        .matrix td { min-width: 3rem; white-space: nowrap; }
        .matrix small { display: block; font-size: .75rem; line-height: 1.1; }
        caption small { display: block; font-weight: 400; font-size: .8rem; width: max-content; max-width: calc(100vw - 4.5rem); }
        .h1 { background: rgba(var(--heat), .09); } .h2 { background: rgba(var(--heat), .18); } .h3 { background: rgba(var(--heat), .28); }
        .h4 { background: rgba(var(--heat), .4); } .h5 { background: rgba(var(--heat), .52); }
        .matrix td .lost { color: inherit; }

        .tools { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; margin: 0 0 .75rem; }
        .tools[hidden], tr[hidden] { display: none; }
        .tools label { display: flex; flex-direction: column; gap: .15rem; font-size: .8rem; color: var(--soft); }
        .tools label:first-child { flex: 1 1 14rem; }
        input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
          padding: .35rem .55rem; }
        input, select { color: var(--ink); font-size: .95rem; border-color: var(--soft); width: 100%; max-width: 100%; height: 2.3rem; }
        label select { max-width: 15rem; }
        button { cursor: pointer; }

        .list { padding: .25rem 0; border-collapse: separate; border-spacing: 0; }
        .list th, .list td { padding: .5rem .6rem; border-top: 1px solid var(--line); }
        .list thead th { border: 0; position: sticky; top: 0; background: var(--card); z-index: 1; white-space: nowrap; }
        .list thead button { border: 0; padding: .1rem 0; background: none; }
        .list thead button::after { content: " ↕"; content: " ↕" / ""; opacity: .45; }
        .list th[aria-sort=ascending] button, .list th[aria-sort=descending] button { color: var(--ink); font-weight: 600; }
        .list th[aria-sort=ascending] button::after { content: " ↑"; content: " ↑" / ""; opacity: 1; }
        .list th[aria-sort=descending] button::after { content: " ↓"; content: " ↓" / ""; opacity: 1; }
        .list tbody tr:hover { background: rgba(var(--heat), .07); }
        .list tbody button { border: 0; padding: 0; background: none; text-align: left; text-decoration: underline; text-decoration-color: var(--line);
          text-underline-offset: .2em; font-weight: 550; }
        .list.live tbody tr { cursor: pointer; }
        .list .gap { text-align: right; }
        .list .gap, .list .when, .list .severity, .list .kind { white-space: nowrap; }
        .list tbody th { min-width: 12.5rem; }
        .list tbody button { max-width: 18rem; overflow-wrap: break-word; }
        .list .name { min-width: 5.5rem; overflow-wrap: anywhere; }
        .list .value { min-width: 10rem; overflow-wrap: anywhere; }
        .list small { display: block; color: var(--soft); }
        .value, pre { font: .85rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        .badge { display: inline-block; border: 1px solid currentColor; border-radius: 1em; padding: 0 .6em; font-size: .8rem; }

        [popover] { border: 0; border-left: 1px solid var(--line); color: inherit; background: var(--card); position: fixed; inset: 0 0 0 auto;
          width: min(42rem, 100vw); max-width: none; height: 100vh; height: 100dvh; max-height: none; margin: 0; padding: 1.25rem 1.5rem 3rem;
          overflow: auto; overscroll-behavior: contain; }
        [popover]::backdrop { background: var(--shade); }
        .top { display: flex; gap: 1rem; justify-content: space-between; align-items: start; }
        .top h3 { font-size: 1.15rem; line-height: 1.3; margin: .1rem 0 .4rem; min-width: 0; }
        .top h3:focus-visible { outline: none; }
        .top button { flex: none; }
        .verdict { font-size: 1.05rem; margin: .9rem 0 .4rem; }
        .lanes { padding: 0 7px; }
        .lanes > svg { width: 100%; display: block; overflow: visible; }
        .lanes svg svg { overflow: visible; }
        .lanes text { fill: var(--ink); font-size: 13px; }
        .lanes line { stroke: var(--line); stroke-width: 2; }
        .mark-loser { fill: var(--card); stroke: var(--lost); stroke-width: 3; } .mark-winner { fill: var(--good); }
        .mark-ancestor { fill: var(--ink); } .mark-other { fill: var(--soft); } .mark-restoring { fill: var(--good); }
        .lanes .axis { font-size: .8rem; color: var(--soft); margin: .3rem -7px .6rem; }
        .sides th, .sides td { padding: .35rem .8rem .35rem 0; border-top: 1px solid var(--line); }
        .sides thead th { border: 0; width: 33%; }
        .sides [colspan] { color: var(--soft); padding-bottom: 0; border-bottom: 0; }
        pre { white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0;
          user-select: all; }
        .user { max-width: 46rem; }
        .user main { margin-top: 1.5rem; }
        .user .card { margin: 0 0 1rem; }
        .user h2 { margin: 0 0 .6rem; overflow-wrap: anywhere; }
        .user em { color: var(--soft); }
        .change { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem 1.5rem; margin: 0 0 .4rem; }
        .change div { min-width: 0; }
        .change dt { font-size: .85rem; font-weight: 600; color: var(--soft); }
        .change small { display: block; font-weight: 400; font-size: 1em; }
        .change dd { margin: .15rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        .change div { border-inline-start: 3px solid var(--good); padding-inline-start: .7rem; }
        .change div:first-child { border-color: var(--lost); }

        footer { margin-top: 3rem; font-size: .85rem; color: var(--soft); }

        @media (max-width: 64rem) {
          .list, .list tbody, .list thead { display: block; }
          .list.card { padding: 0; }
          .list thead tr { display: flex; flex-wrap: wrap; gap: 0 1.1rem; padding: .4rem .9rem .5rem; }
          .list thead tr::before { content: "Sort by"; font-size: .8rem; color: var(--soft); padding: .4rem 0; }
          .list thead th { position: static; padding: 0; }
          .list:not(.live) thead { display: none; }
          .list thead button { padding: .4rem 0; }
          .list tbody tr { display: flex; flex-wrap: wrap; gap: .15rem .8rem; padding: .7rem .9rem; border-top: 1px solid var(--line); }
          .list tbody tr[hidden] { display: none; }
          .list tbody th, .list tbody td { border: 0; padding: 0; min-width: 0; }
          .list tbody th, .list .value { flex-basis: 100%; }
          .list tbody button { max-width: 100%; }
          .list .when small { display: none; }
          .list .severity small { display: inline; }
          .list .gap { text-align: left; }
          .list td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-size: .85rem; }
        }
        @media (max-width: 45rem) {
          body { padding: 1.25rem 1rem 3rem; }
          h1 { font-size: 1.4rem; }
          .card { padding: .85rem .9rem; }
          .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .9rem 1rem; }
          .figures dd { font-size: 1.35rem; }
          .tools label { flex: 1 1 9rem; }
          label select { max-width: none; }
          [popover] { inset: auto 0 0 0; width: 100vw; height: 92vh; height: 92dvh; border: 0; border-top: 1px solid var(--line);
            border-radius: 12px 12px 0 0; padding: 1rem 1rem 3rem; }
          #health thead { display: none; }
          #health tbody tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: .45rem 0; border-top: 1px solid var(--line); }
          #health tbody tr:first-child { border: 0; padding-top: 0; }
          #health tbody th { flex-basis: 100%; font-weight: 550; }
          #health tbody th, #health tbody td { padding: 0; min-width: 0; width: auto; }
          #health tbody td { white-space: normal; text-align: left; }
          #health tbody td:empty { display: none; }
          #health tbody td::before { content: attr(data-label) " "; color: var(--soft); font-size: .85rem; }
          .change { grid-template-columns: 1fr; }
          .sides thead { display: none; }
          .sides tr, .sides td, .sides th { display: block; }
          .sides td, .sides th { border: 0; padding: .15rem 0; }
          .sides td::before { content: attr(data-label); display: block; color: var(--soft); font: .8rem system-ui, sans-serif; }
        }
        @media print {
          .tools, nav, .skip { display: none; }
          .list thead th { position: static; }
          .card { break-inside: avoid; }
          .list { break-inside: auto; }
        }
        """
}
