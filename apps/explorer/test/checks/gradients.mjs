// The gradient of the panel "Expressions".
import assert from "node:assert/strict";

/** Returns the text of the node that has the focus. */
const focused = (visit) => visit.page.evaluate(() => document.activeElement?.textContent ?? "");

/** Returns the texts of the nodes of a drawing, with what is read aloud besides. */
const labelsOf = (visit, name) =>
  visit.page.$$eval(`svg[aria-label^="${name}"] [role=button]`, (nodes) =>
    nodes.map((node) => `${node.textContent} ${node.getAttribute("aria-description")}`),
  );

export const gradientChecks = [
  {
    name: "gradients: a tensor is chosen, and the gradient is drawn beside the tree",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:2,3;y:2,3&text=exp(x * 0) * y");
      assert.equal((await visit.state()).gradient.nodes, 0);
      await visit.select("Gradient with respect to", "y");
      const { gradient } = await visit.stateWhere((state) => state.gradient.variable === "y");
      assert.equal(gradient.error, "");
      assert.deepEqual(gradient.dimensions, [2, 3]);
      assert.match(gradient.value, /^\[\[1\. 1\. 1\.\]/);
      assert.deepEqual(
        gradient.shared.filter((op) => op === "exp"),
        ["exp"],
      );
      await visit.address(/variable=y/);
      const labels = await labelsOf(visit, "Gradient tree");
      assert.equal(labels.length, gradient.nodes);
      assert.ok(
        labels.some((label) => /^expfloat32\[2, 3\] in both trees/.test(label)),
        labels.join("; "),
      );
      await visit.select("Gradient with respect to", "");
      assert.equal((await visit.state()).gradient.op, null);
    },
  },
  {
    name: "gradients: the pointer and the arrow keys look at nodes; the address leads to them",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:1,2&text=tanh(x * 0 %2B 1)&variable=x");
      const root = await visit.page.$('svg[aria-label^="Expression tree"] [data-node="0"]');
      await root.click();
      const { chosen } = (await visit.stateWhere((state) => state.gradient.chosen !== null)).gradient;
      assert.deepEqual([chosen.key, chosen.op, chosen.rule], ["e0", "tanh", "`g - g * y ** 2`"]);
      assert.match(chosen.value, /0\.76159/);
      assert.match(chosen.gradient, /^\[\[1\. 1\.\]\]/);
      await visit.keys("ArrowDown");
      const below = await visit.stateWhere((state) => state.gradient.chosen.op === "add");
      assert.match(below.gradient.chosen.gradient, /0\.4199/);
      assert.match(await focused(visit), /^addfloat32/);
      await visit.keys("ArrowDown", "ArrowRight");
      await visit.stateWhere((state) => state.gradient.chosen.op === "constant");
      await visit.address(/node=e\d/);
      await visit.open("expressions?tensors=x:1,2&text=tanh(x * 0 %2B 1)&variable=x&node=g0");
      const { key, gradient } = (await visit.state()).gradient.chosen;
      assert.deepEqual([key, gradient], ["g0", ""]);
      assert.match(await visit.text(), /of the gradient/);
    },
  },
  {
    name: "gradients: composed operations have a rule of their own, and what has none says why",
    run: async (visit) => {
      await visit.open("expressions?tensors=x:2,3&text=softmax(x)&variable=x&node=e0");
      const whole = (await visit.state()).gradient.chosen;
      assert.deepEqual([whole.op, whole.ruleName], ["div", "softmax"]);
      await visit.open("expressions?tensors=x:2,3&text=softmax(x)&variable=x&node=e1");
      assert.equal((await visit.state()).gradient.chosen.partOf, "softmax");
      await visit.type("Expression", "floor(x)");
      const { error } = (await visit.stateWhere((state) => state.text === "floor(x)")).gradient;
      assert.match(error, /only through floor, which has no gradient/);
      await visit.open("expressions?tensors=x:2,3&text=x %2B 1&dtype=int32&variable=x");
      assert.match((await visit.state()).gradient.error, /floats and complex numbers have/);
      await visit.open("expressions?tensors=x:2,3&text=x&variable=q&node=g99");
      assert.match((await visit.state()).gradient.error, /no tensor q/);
    },
  },
];
