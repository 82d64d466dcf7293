/** The tree of the expression, the tree of its gradient beside it, and the node that is looked at. */
import type { JSX } from "preact";
import type { ExpressionTree } from "onebuffer/eigen";
import { Controls, Figure, Select, Spoken } from "../../parts/controls.tsx";
import type { NodeReport } from "./gradient-model.ts";
import type { Expressions } from "./model.ts";
import { TreePicture } from "./tree-picture.tsx";

/** Draws a line of a rule, in which code is between backticks. */
function RuleLine({ line }: { line: string }): JSX.Element {
  return <>{line.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

/** Returns the sentence about the rule of a node. */
function Rule({ report: { node, ruleName, rule, partOf } }: { report: NodeReport }): JSX.Element {
  if (partOf !== "") return <>part of {partOf}, which has a gradient as a whole</>;
  if (node.inputs.length === 0) return <>a leaf: nothing is below it</>;
  if (rule === "none") return <>{ruleName} has no gradient: the way to the operands ends here</>;
  return (
    <>
      {ruleName}: <RuleLine line={rule} />
    </>
  );
}

/** The node that is looked at. */
function ChosenNode({ report, where }: { report: NodeReport; where: string }): JSX.Element {
  return (
    <section class="chosen-node" aria-labelledby="node-title">
      <h3 id="node-title">
        {report.node.op} <small>{where}</small>
      </h3>
      <dl class="language">
        <div>
          <dt>the gradient of its operands, if g is its own, y its result, and x and z its operands</dt>
          <dd>
            <Rule report={report} />
          </dd>
        </div>
      </dl>
      <Figure title="its elements">
        <pre role="group" class="code" tabIndex={0} aria-label="Elements of the node">
          {report.value}
        </pre>
      </Figure>
      {report.gradient !== "" && (
        <Figure title="the gradient of the expression at this node" note="by how much the sum of the result grows with each element">
          <pre role="group" class="code" tabIndex={0} aria-label="Gradient at the node">
            {report.gradient}
          </pre>
        </Figure>
      )}
    </section>
  );
}

/** Draws the trees of a model, with the choice of a variable above them. */
export function Trees({ model, tree }: { model: Expressions; tree: ExpressionTree }): JSX.Element {
  const { gradient } = model;
  const { report } = gradient;
  const shared = new Set(gradient.shared);
  const shown = {
    nameOf: (node: ExpressionTree) => model.nameOf(node),
    isShared: (node: ExpressionTree) => shared.has(node),
    chosen: report?.node ?? null,
    onChoose: (node: ExpressionTree) => model.chooseNode(node),
  };
  const count = shared.size === 1 ? "1 node is" : `${shared.size} nodes are`;
  const where =
    report === null ? "" : !gradient.isForward(report.node) ? "of the gradient" : shared.has(report.node) ? "of both" : "of the expression";
  return (
    <>
      <Controls>
        <Select
          label="Gradient with respect to"
          value={gradient.variable}
          options={[["", "no tensor"], ...model.names.map((name) => [name, name] as const)]}
          onChoice={(name) => model.setVariable(name)}
        />
      </Controls>
      {gradient.error !== "" && (
        <p class="error-note" role="status">
          {gradient.error}
        </p>
      )}
      <div class="trees">
        <Figure title="the tree" note="what is written; nothing is computed yet">
          <TreePicture tree={tree} label="Expression tree" {...shown} />
        </Figure>
        {gradient.tree !== null && (
          <Figure
            title={`the gradient with respect to ${gradient.variable}`}
            note={`${tree.dimensions.length > 0 ? "of the sum of the elements; " : ""}${count} of the expression itself`}
          >
            <TreePicture tree={gradient.tree} label="Gradient tree" {...shown} />
          </Figure>
        )}
      </div>
      {report !== null && <ChosenNode report={report} where={where} />}
      <Spoken
        text={gradient.tree === null ? "" : `The gradient with respect to ${gradient.variable} is drawn; ${count} of the expression itself`}
      />
    </>
  );
}
