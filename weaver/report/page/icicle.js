// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draws stacks as an icicle graph. A box is a function; its width is how often the function was in
 * this position of a stack, and below it are the functions that it called. A click on a box makes
 * it as wide as the figure. A search marks the boxes whose names contain the text.
 */

const BOX = 19;
const NARROWEST = 1; /* pixels; narrower boxes are not drawn */

/* Returns the function of a stack's line: "vfs_read" for "vfs_read+0x23/0x60". */
function functionOf(frame) {
	return frame
		.trim()
		.replace(
			/\+0x[0-9a-f]+(\/0x[0-9a-f]+)?( \[\w+\])?$/,
			(_, __, module) => module || ""
		);
}

/*
 * Returns the stacks in a metric's keys. A stack's frames begin with the innermost function; the
 * key's other values become one more frame, the outermost. Returns an empty array if no part of the
 * key is a stack.
 */
function stacksOfMetric(metric) {
	const at = (metric.by || "").split(", ").findIndex((name) => /stack$/.test(name));
	const stacks = [];

	for (const row of at < 0 ? [] : metric.rows) {
		const keys = Array.isArray(row.keys) ? row.keys : [String(row.key)];
		const others = keys.filter((_, i) => i !== at).join(", ");
		const frames = (keys[at] || "").split("\n").map(functionOf).filter(Boolean);

		if (others) frames.push(others);
		stacks.push({frames, value: Math.max(0, costOf(metric, row))});
	}
	return stacks;
}

/*
 * Returns the calls of a drill as stacks. A stack leads to one call, its innermost one. The stack's
 * value is this call's own time: without the time of the calls in it that the drill has timed, too.
 */
function stacksOfDrill(drill) {
	const stacks = [];

	for (const call of drill.calls) {
		const own = "self_wall_ns" in call ? call.self_wall_ns : call.wall_ns;
		const frames = [];

		for (let at = call; at; at = drill.calls[at.caller]) frames.push(at.function);
		if (own > 0) stacks.push({frames, value: own});
	}
	return stacks;
}

/*
 * Returns the stacks in the records of `weft stacks`: each is "12 hits", then one function per
 * line.
 */
function stacksOfRecords(records) {
	const stacks = [];

	for (const record of records) {
		const lines = String(record.text).split("\n");
		const hits = /^(\d+) hits?$/.exec(lines[0]);

		if (hits && lines.length > 1)
			stacks.push({
				frames: lines.slice(1).map(functionOf).filter(Boolean),
				value: Number(hits[1])
			});
	}
	return stacks;
}

function treeOf(stacks) {
	const root = {name: "all", value: 0, calls: new Map()};

	for (const stack of stacks) {
		let at = root;

		root.value += stack.value;
		for (const name of [...stack.frames].reverse()) {
			if (!at.calls.has(name))
				at.calls.set(name, {name, value: 0, calls: new Map()});
			at = at.calls.get(name);
			at.value += stack.value;
		}
	}
	return root;
}

function layOut(stacks) {
	const root = d3.hierarchy(treeOf(stacks), (node) =>
		[...node.calls.values()].sort((a, b) => b.value - a.value)
	);

	root.each((node) => {
		node.value = node.data.value;
	});
	d3.partition()(root);
	return root;
}

/* Returns the share of all hits whose stack contains a marked function. */
function shareOf(root, isMarked) {
	function hits(node) {
		return isMarked(node)
			? node.value
			: (node.children || []).reduce((sum, child) => sum + hits(child), 0);
	}
	return hits(root) / (root.value || 1);
}

function drawIcicle(svg, width, state) {
	const {root, focus, unit} = state;
	const x = d3.scaleLinear([focus.x0, focus.x1], [0, width]);
	const shown = root.descendants().filter((node) => {
		const from = Math.max(0, x(node.x0)),
			to = Math.min(width, x(node.x1));

		return to - from >= NARROWEST;
	});
	const row = (node) => node.depth * BOX;
	const groups = svg.append("g").attr("class", "icicle").selectAll("g").data(shown).join("g");
	const left = (node) => Math.max(0, x(node.x0));
	const wide = (node) => Math.min(width, x(node.x1)) - left(node);

	groups.append("rect")
		.attr("x", left)
		.attr("y", row)
		.attr("width", (node) => Math.max(1, wide(node) - 1))
		.attr("height", BOX - 1)
		.attr(
			"class",
			(node) =>
				"tone" +
				(hashOf(node.data.name) % 4) +
				(state.isMarked(node) ? " marked" : "") +
				(node.depth < focus.depth ? " above" : "")
		);
	groups.filter((node) => wide(node) > 24)
		.append("text")
		.attr("x", (node) => left(node) + 4)
		.attr("y", (node) => row(node) + 13)
		.text((node) => cutTo(node.data.name, Math.floor((wide(node) - 8) / 6.7)));
	const box = svg
		.append("rect")
		.attr("class", "box")
		.attr("height", BOX - 1)
		.attr("visibility", "hidden");
	let current = -1;
	const moveTo = (i) => {
		box.attr("visibility", i < 0 ? "hidden" : null);
		if (i >= 0)
			box.attr("x", left(shown[i]))
				.attr("y", row(shown[i]))
				.attr("width", Math.max(2, wide(shown[i]) - 1));
		current = i;
	};

	readable(svg.node(), {
		n: shown.length,
		moves: {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1},
		at: (px, py) =>
			shown.findIndex(
				(node) =>
					px >= left(node) &&
					px < left(node) + wide(node) &&
					py >= row(node) &&
					py < row(node) + BOX
			),
		place: (i) => [left(shown[i]) + Math.min(60, wide(shown[i]) / 2), row(shown[i])],
		mark: moveTo,
		lines: (i) => [
			shown[i].data.name,
			[unit.name, unit.words(shown[i].value)],
			["of all", percent(shown[i].value, root.value)],
			...(focus !== root
				? [["of what is shown", percent(shown[i].value, focus.value)]]
				: [])
		]
	});
	svg.on("click", () => {
		if (current >= 0) state.zoom(shown[current]);
	});
	const keys = svg.node().onkeydown;

	svg.node().onkeydown = (event) => {
		if (event.key === "Enter" && current >= 0) state.zoom(shown[current]);
		else if (event.key === "Escape" && focus !== root) state.zoom(root);
		keys(event);
	};
}

function hashOf(text) {
	let hash = 0;

	for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
	return hash;
}

function cutTo(text, n) {
	return text.length <= n ? text : n < 3 ? "" : text.slice(0, n - 1) + "…";
}

/* Creates the icicle graph of @stacks. @unit: {name, words(value)}, the unit of the widths. */
function icicle(stacks, unit, title = "Stacks: who has called whom") {
	const root = layOut(stacks);
	const state = {root, focus: root, unit, isMarked: () => false};
	const height = (root.height + 1) * BOX + 4;
	const words =
		`icicle of ${stacks.length} stacks; arrow keys read the boxes, ` +
		"Enter makes one as wide as the figure, Escape shows all";
	const drawn = figure(title, words, height, (svg, width) =>
		drawIcicle(svg, width, state)
	);
	const search = make("input", {
		type: "search",
		placeholder: "find a function",
		"aria-label": "find a function in the stacks",
		autocomplete: "off",
		spellcheck: "false"
	});
	const found = make("span", {class: "note", role: "status"});
	const all = make("button", {type: "button", hidden: true}, "show all");

	state.zoom = (node) => {
		state.focus = node;
		all.hidden = node === root;
		hideReadout();
		drawn.again();
	};
	all.addEventListener("click", () => state.zoom(root));
	search.addEventListener("input", () => {
		const word = search.value.trim().toLowerCase();

		state.isMarked = (node) => word && node.data.name.toLowerCase().includes(word);
		found.textContent = word
			? "in " + percent(shareOf(root, state.isMarked), 1) + " of all"
			: "";
		drawn.again();
	});
	drawn.querySelector(".plot").before(make("div", {class: "filter"}, search, found, all));
	drawn.append(
		asTable([unit.name, "share", "stack, the innermost function first"], () =>
			[...stacks]
				.sort((a, b) => b.value - a.value)
				.map((stack) => [
					unit.words(stack.value),
					percent(stack.value, root.value),
					stack.frames.join(" ← ")
				])
		)
	);
	return drawn;
}
