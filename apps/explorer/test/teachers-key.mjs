// The key of docs/course/teachers.md: a table for each chapter, and the programs, from the answers that the checks give.
import { markersOf } from "./course-pages.mjs";

const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;
const isProgram = (exercise) => exercise.kind === "code";

/** Returns an answer as a reader sees it: a text, or the parameters of a panel. */
const shownAnswer = (answer) =>
  typeof answer === "string"
    ? code(answer)
    : Object.keys(answer).length === 0
      ? "the panel as it opens"
      : code(
          Object.entries(answer)
            .map(([name, value]) => `${name}=${value}`)
            .join("&"),
        );

function rowOf(name, exercise) {
  const { rightAnswers, mistakes } = exercise;
  const answers = isProgram(exercise) ? "a program, below" : rightAnswers.slice(0, 2).map(shownAnswer).join(" or ");
  const wrong = mistakes
    .map((mistake) => (isProgram(exercise) ? mistake.name : `${mistake.name}: ${shownAnswer(mistake.answers[0])}`))
    .join("; ");
  return `| ${name} | ${answers} | ${wrong} |`;
}

/** Returns the key as Markdown. `exercises` are those of the page, `chapters` the names of the chapters' files. */
export function keyOf(exercises, chapters) {
  const lines = [];
  for (const chapter of chapters) {
    const names = markersOf(chapter)
      .filter(([kind]) => kind === "exercise")
      .map(([, name]) => name);
    lines.push(
      "",
      `### ${chapter.replace(/^(\d+)-/, "$1. ").replaceAll("-", " ")}`,
      "",
      "| exercise | an answer | named mistakes |",
      "|---|---|---|",
    );
    lines.push(...names.map((name) => rowOf(name, exercises[name])));
    for (const name of names.filter((each) => isProgram(exercises[each])))
      lines.push("", `A program for ${name}:`, "", "```text", exercises[name].rightAnswers[0].trim(), "```");
  }
  return `${lines.join("\n").trim()}\n`;
}
