/// What a page does: its table can be sorted and filtered.
///
/// Without it, the page shows everything all the same.
enum PageScript {
    /// The SHA-256 of ``text`` in Base64, by which the page's policy admits it and no other script; a test holds it against the text.
    static let hash = "2iRsY9bkxSucC8E/f0gDx9oB5jEl9eTnChYJNjtqPSc="

    static let text: StaticString = #"""
        "use strict";
        {
          const table = document.getElementById("list");
          if (table) enliven(table);

          function enliven(table) {
            const body = table.tBodies[0], headings = [...table.tHead.rows[0].cells];
            const rows = [...body.rows].map(row => {
              const texts = [...row.cells].map(cell => cell.textContent);
              return { row, texts, values: [...row.cells].map(cell => Number(cell.dataset.value)), all: texts.join("\n").toLowerCase() };
            });
            const collator = new Intl.Collator("en", { numeric: true });

            const sort = column => {
              const heading = headings[column], isNumber = "number" in heading.dataset;
              const now = heading.getAttribute("aria-sort") ?? (isNumber ? "ascending" : "descending");
              const sign = now === "ascending" ? -1 : 1;
              for (const other of headings) other.removeAttribute("aria-sort");
              heading.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
              rows.sort((a, b) => sign * (isNumber ? a.values[column] - b.values[column] : collator.compare(a.texts[column], b.texts[column])));
              body.append(...rows.map(({ row }) => row));
            };
            headings.forEach((heading, column) => {
              const button = document.createElement("button");
              button.type = "button";
              button.append(...heading.childNodes);
              button.addEventListener("click", () => sort(column));
              heading.append(button);
            });

            const find = document.getElementById("find"), status = document.getElementById("status");
            const choices = [...document.querySelectorAll("select[data-columns]")].map(select => {
              const columns = select.dataset.columns.split(" ").map(Number);
              const texts = new Set(rows.flatMap(({ texts }) => columns.map(column => texts[column])));
              for (const text of [...texts].sort(collator.compare)) {
                const option = document.createElement("option");
                option.value = option.textContent = text;
                select.append(option);
              }
              return { select, columns };
            });
            const filter = () => {
              const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
              let shown = 0;
              for (const { row, texts, all } of rows) {
                row.hidden = !(words.every(word => all.includes(word))
                  && choices.every(({ select, columns }) => !select.selectedIndex || columns.some(column => texts[column] === select.value)));
                if (!row.hidden) shown += 1;
              }
              status.textContent = shown.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " shown";
            };
            find.addEventListener("input", filter);
            for (const { select } of choices) select.addEventListener("change", filter);

            body.addEventListener("click", event => {
              if (event.target.closest("button") || String(getSelection())) return;
              event.target.closest("tr")?.querySelector("button").click();
            });
            table.classList.add("live");
            document.getElementById("tools").hidden = false;
            // A browser that goes back may have kept what was typed.
            filter();
          }
        }
        """#
}
