/// What a page does: its table can be sorted, filtered by words, and narrowed to what a bar or a cell counts.
///
/// Without it, the page shows everything all the same. Rows are laid out a hundred at a time, and cards when they are opened, so that ten
/// thousand conflicts cost no more at first than a hundred. The address of the page holds what the table is narrowed to.
enum PageScript {
    /// The SHA-256 of ``text`` in Base64, by which the page's policy admits it and no other script; a test holds it against the text.
    static let hash = "2GB6BzfRtV0RRnLMNcBU4BBivFGqfHzTKtPtgbQWcqE="

    static let text: StaticString = #"""
        "use strict";
        {
          const table = document.getElementById("list");
          if (table) enliven(table);

          // Unlike the element in it, this keeps the address, the scroll position, and a card or a menu that is in use.
          const refresh = document.getElementById("refresh");
          const reload = () => document.activeElement?.matches("input, select") ? later() : location.reload();
          const later = () => setTimeout(reload, 1000 * Number(refresh.dataset.seconds));
          if (refresh) later();

          function enliven(table) {
            const body = table.tBodies[0], headings = [...table.tHead.rows[0].cells], step = 100;
            const find = document.getElementById("find"), status = document.getElementById("status");
            const chips = document.getElementById("chips"), more = document.getElementById("more");
            const collator = new Intl.Collator("en", { numeric: true });
            const described = row => {
              const texts = [...row.cells].map(cell => cell.textContent);
              return { row, texts, values: [...row.cells].map(cell => Number(cell.dataset.value)), all: [...texts, row.dataset.record, row.dataset.field].join("\n").toLowerCase() };
            };
            let rows = [...body.rows].map(described), shown = rows, isNarrowed = false, limit = step;

            // What is kept as text becomes rows in a document in which nothing runs, once somebody asks for more than the first rows.
            const rest = document.getElementById("rest");
            let isWhole = !rest;
            const total = rows.length + Number(rest?.dataset.rows ?? 0);
            const readAll = () => {
              if (isWhole) return;
              isWhole = true;
              const others = new DOMParser().parseFromString(rest.textContent, "text/html").querySelectorAll("tbody > tr");
              rows = rows.concat([...others].map(described));
              for (const choice of choices) fill(choice);
            };
            // A card is made when it is opened, before its button does so.
            const card = id => {
              const kept = document.getElementById("n-" + id);
              if (kept && !document.getElementById(id)) kept.insertAdjacentHTML("afterend", kept.textContent);
              return document.getElementById(id);
            };
            document.addEventListener("click", event => {
              const id = event.target.closest?.("button[popovertarget]")?.getAttribute("popovertarget");
              if (id) card(id);
            }, true);

            const draw = () => {
              if (limit > rows.length) readAll();
              if (!isNarrowed) shown = rows;
              body.replaceChildren(...shown.slice(0, limit).map(({ row }) => row));
              const found = isNarrowed ? shown.length : total, drawn = Math.min(limit, found), count = number => number.toLocaleString("en");
              more.hidden = drawn === found;
              more.firstElementChild.textContent = "Show " + count(Math.min(2 * step, found - drawn)) + " more";
              status.textContent = !more.hidden && isNarrowed ? count(drawn) + " shown of " + count(found) + " found among " + count(total)
                : count(drawn) + " of " + count(total) + " shown";
            };
            more.firstElementChild.addEventListener("click", () => {
              const last = body.rows.length;
              limit += 2 * step;
              draw();
              body.rows[last]?.querySelector("button").focus();
            });
            addEventListener("beforeprint", () => { limit = total; draw(); });
            addEventListener("afterprint", () => { limit = step; draw(); });

            let order = null;
            const arrange = () => {
              if (!order) return;
              const [column, sign] = order, isNumber = "number" in headings[column].dataset;
              for (const heading of headings) heading.removeAttribute("aria-sort");
              headings[column].setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
              rows.sort((a, b) => sign * (isNumber ? a.values[column] - b.values[column] : collator.compare(a.texts[column], b.texts[column])));
            };
            const sort = column => {
              const isNumber = "number" in headings[column].dataset;
              const now = headings[column].getAttribute("aria-sort") ?? (isNumber ? "ascending" : "descending");
              readAll();
              order = [column, now === "ascending" ? -1 : 1];
              arrange();
              filter();
              remember();
            };
            headings.forEach((heading, column) => {
              const button = document.createElement("button");
              button.type = "button";
              button.append(...heading.childNodes);
              button.addEventListener("click", () => sort(column));
              heading.append(button);
            });

            const fill = ({ select, columns }) => {
              const texts = new Set(rows.flatMap(({ texts }) => columns.map(column => texts[column])));
              const chosen = select.value;
              select.length = 1;
              for (const text of [...texts].sort(collator.compare)) select.add(new Option(text, text));
              if (texts.has(chosen)) select.value = chosen;
            };
            const choices = [...document.querySelectorAll("select[data-columns]")].map(select => {
              return { select, columns: select.dataset.columns.split(" ").map(Number), name: select.dataset.name };
            });
            for (const choice of choices) fill(choice);

            // What the table is narrowed to: a property of conflicts and its value, or a range of milliseconds and what it is called.
            const ranges = { when: 3, gap: 6 };
            const names = {
              record: "Record", type: "Type", field: "Field", kind: "Kind", severity: "Severity", reason: "Reason", winner: "Won by", loser: "Lost by",
              certainty: "Certainty", edit: "Edit", when: "When", gap: "Apart",
            };
            const picked = new Map();
            const range = value => /^(-?\d+)\.\.(-?\d+) (.*)$/s.exec(value);
            const test = ([name, value]) => {
              if (!(name in ranges)) return ({ row }) => row.dataset[name] === value;
              const [, from, to] = range(value) ?? [0, "0", "-1", ""], column = ranges[name];
              return ({ values }) => values[column] >= Number(from) && values[column] <= Number(to);
            };
            const filter = () => {
              const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
              const chosen = choices.filter(({ select }) => select.selectedIndex > 0).map(({ select, columns }) => [columns, select.value]);
              const tests = [...picked].map(test);
              isNarrowed = words.length + chosen.length + tests.length > 0;
              if (isNarrowed) {
                readAll();
                shown = rows.filter(entry => tests.every(test => test(entry)) && words.every(word => entry.all.includes(word))
                  && chosen.every(([columns, value]) => columns.some(column => entry.texts[column] === value)));
              }
              limit = step;
              draw();
            };

            const remember = () => {
              const query = new URLSearchParams([...picked]);
              if (find.value) query.set("find", find.value);
              for (const { select, name } of choices) if (select.selectedIndex > 0) query.set("choose-" + name, select.value);
              if (order) query.set("sort", order.join(" "));
              const open = document.querySelector("[popover]:popover-open");
              if (open) query.set("open", open.id);
              const text = String(query), now = location.hash;
              if (text || now.includes("=")) history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
            };
            const renew = () => {
              chips.replaceChildren(...[...picked].map(([name, value]) => {
                const item = document.createElement("li"), button = document.createElement("button");
                const text = names[name] + ": " + (name in ranges ? range(value)?.[3] ?? "" : value);
                button.type = "button";
                button.className = "chip";
                button.textContent = text;
                button.ariaLabel = text + ", show all again";
                button.addEventListener("click", () => { picked.delete(name); change(); (chips.querySelector("button") ?? find).focus(); });
                item.append(button);
                return item;
              }));
              for (const [button, query] of picks) {
                const isOn = query.every(([name, value]) => picked.get(name) === value);
                button.ariaPressed = String(isOn);
                button.classList.toggle("picked", isOn);
              }
            };
            const change = () => { filter(); renew(); remember(); };
            const choose = query => {
              const isOn = query.length === picked.size && query.every(([name, value]) => picked.get(name) === value);
              picked.clear();
              if (!isOn) for (const [name, value] of query) picked.set(name, value);
              change();
              if (isOn) return;
              document.getElementById("conflicts").scrollIntoView();
              chips.querySelector("button").focus({ preventScroll: true });
            };
            const picks = [...document.querySelectorAll("[data-pick]")].map(holder => {
              const query = [...new URLSearchParams(holder.dataset.pick)];
              let button = holder;
              if (holder.namespaceURI.endsWith("xhtml")) {
                button = document.createElement("button");
                button.type = "button";
                button.title = "Show these conflicts";
                button.append(...holder.childNodes);
                holder.append(button);
              }
              button.addEventListener("click", () => choose(query));
              return [button, query];
            });

            find.addEventListener("input", () => { filter(); remember(); });
            for (const { select } of choices) select.addEventListener("change", () => { filter(); remember(); });
            document.addEventListener("toggle", event => { if (event.target.popover) remember(); }, true);
            body.addEventListener("click", event => {
              if (event.target.closest("button") || String(getSelection())) return;
              event.target.closest("tr")?.querySelector("button").click();
            });

            const recall = () => {
              if (!location.hash.includes("=")) return;
              const query = new URLSearchParams(location.hash.slice(1));
              picked.clear();
              for (const [name, value] of query) if (Object.hasOwn(names, name)) picked.set(name, value);
              find.value = query.get("find") ?? "";
              const [column, sign] = (query.get("sort") ?? "").split(" ").map(Number);
              if (headings[column] && Math.abs(sign) === 1) { readAll(); order = [column, sign]; arrange(); }
              if (choices.some(({ name }) => query.has("choose-" + name))) readAll();
              for (const { select, name } of choices) {
                select.value = query.get("choose-" + name) ?? select.options[0].value;
                if (select.selectedIndex < 0) select.selectedIndex = 0;
              }
              filter();
              renew();
              const open = query.get("open");
              if (open?.startsWith("c-")) card(open)?.showPopover?.();
            };
            addEventListener("hashchange", recall);
            table.classList.add("live");
            document.getElementById("tools").hidden = false;
            // A browser that goes back may have kept what was typed.
            filter();
            recall();
            // So that the first bar that somebody chooses finds all rows there.
            if (!isWhole) addEventListener("load", () => (globalThis.requestIdleCallback ?? setTimeout)(readAll), { once: true });
          }
        }
        """#
}
