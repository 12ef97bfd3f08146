for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falls = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.number === undefined ? cell.textContent : Number(cell.dataset.number);
      };
      const order = (one, other) => {
        const [a, b] = [key(one), key(other)];
        // What is not known comes last either way, and words are sorted as words.
        if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
        const rising = typeof a === "number" ? a - b : a.localeCompare(b);
        return falls ? -rising : rising;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}
