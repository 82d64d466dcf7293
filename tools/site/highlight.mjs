// Code as highlighted HTML.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import typescript from "highlight.js/lib/languages/typescript";
import json from "highlight.js/lib/languages/json";
import xml from "highlight.js/lib/languages/xml";
import python from "highlight.js/lib/languages/python";

const kLanguages = { bash, json, python, typescript, xml };
for (const [name, language] of Object.entries(kLanguages)) hljs.registerLanguage(name, language);
const kNames = {
  ts: "typescript",
  js: "typescript",
  tsx: "typescript",
  mjs: "typescript",
  sh: "bash",
  html: "xml",
  py: "python",
  json: "json",
};

/** Returns code with elements around its words, or "" for a language that is not known. */
export function highlighted(code, info) {
  const language = kNames[info.split(" ")[0]];
  return language === undefined ? "" : hljs.highlight(code, { language }).value;
}
