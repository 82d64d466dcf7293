/** The frame around a panel: title, lead, the view, and the list of files that the panel shows. */
import type { JSX } from "preact";
import type { PanelDefinition, PanelModel, Shown } from "../panel.ts";
import { Spoken } from "./controls.tsx";

/** Draws a panel. `heading` is the level of its heading; 0 leaves out everything but the view. */
export function Frame({ definition, model, heading }: { definition: PanelDefinition; model: PanelModel; heading: number }): JSX.Element {
  const { title, lead, shows, View } = definition;
  const isStale = model.isStale === true;
  const view = (
    <div class={`panel-view ${isStale ? "is-stale" : ""}`}>
      <View model={model} />
      <Spoken text={isStale ? "What is shown below is from before the error." : ""} />
    </div>
  );
  if (heading === 0) return view;
  const Heading = `h${heading}` as "h2";
  return (
    <section class="panel" aria-label={title}>
      <Heading class="panel-title">{title}</Heading>
      <p class="lead">{lead}</p>
      {view}
      <Files shows={shows} />
    </section>
  );
}

/** The classes that a panel shows, with their files here and in the original. */
function Files({ shows }: { shows: readonly Shown[] }): JSX.Element {
  return (
    <footer class="files">
      <h3>What you are looking at</h3>
      <ul>
        {shows.map(({ name, here, there }) => (
          <li key={name}>
            <code class="files-name">{name}</code>
            <span>
              here in <code>{here}</code>
              {there !== "" && (
                <>
                  , there in <code>{there}</code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </footer>
  );
}
