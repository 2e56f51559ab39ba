// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes tables sortable by a click on a head, and adds fields that filter their rows. */

/* A table with fewer rows needs no filter. */
const FILTER_FROM = 6;

function valueOf(cell) {
	if (!cell) return "";
	const number =
		cell.dataset.v !== undefined ? Number(cell.dataset.v) : numberOf(cell.textContent);

	return Number.isNaN(number) ? cell.textContent : number;
}

/*
 * Compares two cells for sorting by @direction (1 or -1). Numbers come before texts, and empty
 * cells last, in both directions.
 */
function compareValues(a, b, direction) {
	if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
	if (typeof a === "number") return direction * (a - b);
	if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
	return direction * a.localeCompare(b, "en", {numeric: true});
}

function sortRows(table, column, direction) {
	const body = table.tBodies[0];
	const keyed = [...body.rows].map((row) => [valueOf(row.cells[column]), row]);

	keyed.sort((a, b) => compareValues(a[0], b[0], direction));
	body.append(...keyed.map((pair) => pair[1]));
	for (const [i, head] of [...table.tHead.rows[0].cells].entries())
		head.setAttribute(
			"aria-sort",
			i !== column ? "none" : direction > 0 ? "ascending" : "descending"
		);
}

function makeSortable(table) {
	for (const [i, head] of [...table.tHead.rows[0].cells].entries()) {
		const button = make("button", {type: "button", class: "sort"});

		button.append(...head.childNodes);
		head.append(button);
		head.setAttribute("aria-sort", "none");
		button.addEventListener("click", () => {
			const now = head.getAttribute("aria-sort");
			const first = table.tBodies[0].rows[0];
			const numeric = first && typeof valueOf(first.cells[i]) === "number";
			const up = now === "none" ? !numeric : now === "descending";

			sortRows(table, i, up ? 1 : -1);
		});
	}
}

/* Creates a field for words. The table then shows only the rows that have all of the words. */
function makeFilter(table, what) {
	const input = make("input", {
		type: "search",
		placeholder: "filter " + what,
		id: newId(),
		"aria-label": "filter " + what,
		autocomplete: "off",
		spellcheck: "false"
	});
	const count = make("span", {class: "note", role: "status"});
	const rows = [...table.tBodies[0].rows];
	const texts = rows.map((row) =>
		[...row.cells]
			.map((cell) => cell.textContent)
			.join(" ")
			.toLowerCase()
	);

	function apply() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;

		for (const [i, row] of rows.entries()) {
			row.hidden = !words.every((word) => texts[i].includes(word));
			shown += !row.hidden;
		}
		count.textContent =
			(words.length ? grouped(shown) + " of " : "") +
			grouped(rows.length) +
			" " +
			what;
	}
	input.addEventListener("input", apply);
	apply();
	return make("div", {class: "filter"}, input, count);
}

/*
 * Makes a table that weft has written sortable. If the table is long, adds a filter before the
 * box in which the table scrolls.
 */
function enhanceTable(table, what) {
	if (!table.tHead || !table.tBodies[0]) return;
	makeSortable(table);
	if (table.tBodies[0].rows.length >= FILTER_FROM)
		table.parentElement.before(makeFilter(table, what));
}

/*
 * Creates a table with the script's own data. A column is [head, f]; f(row) returns the text of a
 * cell, or [text, value, class].
 */
function newTable(columns, rows, what, words) {
	const body = make("tbody");
	const table = make(
		"table",
		{class: "rows" + (words ? " words" : "")},
		tableHead(columns.map((column) => column[0])),
		body
	);
	const holder = make("div", null, scrolled(what, table));

	for (const row of rows) {
		body.append(
			make(
				"tr",
				null,
				...columns.map((column) => {
					const made = column[1](row);

					return Array.isArray(made)
						? make(
								"td",
								{"data-v": made[1], class: made[2]},
								made[0]
							)
						: make("td", null, made);
				})
			)
		);
	}
	enhanceTable(table, what);
	return holder;
}
