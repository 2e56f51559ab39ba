// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Renews a page that `weft serve` has sent. The content comes from the server again, as HTML
 * without the script, and replaces the old content. What the user has opened, sorted and filtered
 * stays opened, sorted and filtered. Nothing is replaced while the user points at a value, has
 * selected text, or writes.
 */

const RENEW_MS = 2000;

/* Calls f(element, key) for each element; the same key means the same element in a renewed page. */
function eachWithKey(selector, f) {
	const seen = new Map();

	for (const element of document.querySelectorAll(selector)) {
		const section = element.closest("section");
		const title = section
			? section.querySelector("h2").textContent
			: element.closest("footer")
				? "footer"
				: "";
		const n = (seen.get(title) || 0) + 1;

		seen.set(title, n);
		f(element, title + "\n" + n);
	}
}

function sortOf(table) {
	const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
	const i = heads.findIndex((head) =>
		["ascending", "descending"].includes(head.getAttribute("aria-sort"))
	);

	return i < 0 ? null : [i, heads[i].getAttribute("aria-sort") === "ascending" ? 1 : -1];
}

function viewOf() {
	const view = {open: new Map(), sorts: new Map(), fields: new Map()};

	eachWithKey("details", (details, key) => view.open.set(key, details.open));
	eachWithKey("table.rows", (table, key) => view.sorts.set(key, sortOf(table)));
	eachWithKey("input[type=search]", (input, key) => view.fields.set(key, input.value));
	return view;
}

function restore(view) {
	eachWithKey("details", (details, key) => {
		if (view.open.get(key)) details.open = true;
	});
	eachWithKey("table.rows", (table, key) => {
		const sort = view.sorts.get(key);

		if (sort) sortRows(table, ...sort);
	});
	eachWithKey("input[type=search]", (input, key) => {
		if (!view.fields.get(key)) return;
		input.value = view.fields.get(key);
		input.dispatchEvent(new Event("input"));
	});
}

function isInUse() {
	const focus = document.activeElement;

	return (
		!readout.hidden ||
		!document.getSelection().isCollapsed ||
		(focus && focus.matches("main input"))
	);
}

/*
 * Replaces the content by that of @page, a document, and calls @show. Keeps the buttons of the
 * header, and the place to which the user has scrolled.
 */
function renew(page, show) {
	const view = viewOf(),
		[x, y] = [scrollX, scrollY];
	const buttons = [...document.querySelectorAll("header > button, header > .live")];
	const nav = document.querySelector("nav[aria-label=contents]");

	if (nav) nav.remove();
	for (const part of ["header", "main", "#weft-data"])
		document.querySelector(part).replaceWith(
			document.adoptNode(page.querySelector(part))
		);
	show();
	document.querySelector("header").append(...buttons);
	restore(view);
	scrollTo(x, y);
}

/* Begins to renew the page. Calls @show after each renewal: it adds plots to the new content. */
function startLive(show) {
	const state = make("span", {class: "note live", role: "status"}, "live");
	const button = make("button", {type: "button", class: "theme", "aria-pressed": "false"});
	let paused = false;

	function press() {
		button.textContent = paused ? "go on" : "pause";
		button.setAttribute("aria-pressed", String(paused));
		state.textContent = paused ? "paused" : "live";
	}
	button.addEventListener("click", () => {
		paused = !paused;
		press();
	});
	press();
	document.querySelector("header").append(button, state);

	async function next() {
		try {
			if (!paused && !document.hidden && !isInUse()) {
				const answer = await fetch(location.pathname + "/now");
				const text = await answer.text();

				if (!answer.ok) throw new Error(text.trim());
				if (!paused && !isInUse())
					renew(
						new DOMParser().parseFromString(text, "text/html"),
						show
					);
				if (!paused) state.textContent = "live";
			}
		} catch (error) {
			state.textContent = "not live: " + error.message;
		}
		setTimeout(next, RENEW_MS);
	}
	setTimeout(next, RENEW_MS);
}
