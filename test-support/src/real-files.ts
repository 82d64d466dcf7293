/**
 * The real files: MANIFEST.json says what is in each, `verdicts` what the reference does with malformed ones. ONEBUFFER_REAL_FILES is their
 * folder, by default ../shared/real-files. Without them the tests are skipped, unless ONEBUFFER_REQUIRE_REAL_FILES=1.
 *
 * `npm run real-files -- --dir DIR` runs the same tests over another folder of the same form, which may lack kinds of files.
 */
import { test } from "@jest/globals";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The folder of the files. */
export const folder: string = resolve(root, process.env["ONEBUFFER_REAL_FILES"] ?? "../shared/real-files");

/** Whether there are any. */
export const present: boolean = existsSync(join(folder, "MANIFEST.json"));

/** Whether it is an error if there are none. */
export const required: boolean = process.env["ONEBUFFER_REQUIRE_REAL_FILES"] === "1";

/** Whether the folder is the usual one, so that a test may expect a number of files. */
export const isUsual: boolean = process.env["ONEBUFFER_REAL_FILES_OTHER"] !== "1";

const manifest = present
  ? (JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Readonly<Record<string, { readonly kind: string }>>)
  : {};

/** Returns the files of a kind, each with its entry of the manifest. */
export function filesOf<T>(kind: string): [path: string, entry: T][] {
  return Object.entries(manifest)
    .filter(([, entry]) => entry.kind === kind)
    .map(([path, entry]) => [path, entry as unknown as T]);
}

/** Returns the verdicts of a program by the name of the file. */
export function verdictsOf(program: string): [name: string, verdict: string][] {
  const path = join(folder, "verdicts", program, "verdicts.json");
  return existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, string>>) : [];
}

/** Returns the bytes of a file. */
export const load = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(folder, path)));

/** Returns the sha256 of bytes in hexadecimal. */
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Makes a test of files that are in the usual folder; none for another one, which may lack them. */
export function testUsual(title: string, act: () => Promise<void>): void {
  if (isUsual) test(title, act);
}

/** Makes a test for each of the files; none if there are no files of this kind. */
export function testEach<T>(
  files: readonly (readonly [string, T])[],
  title: string,
  act: (path: string, entry: T) => void | Promise<void>,
): void {
  for (const [path, entry] of files) test(title.replace("%s", path), () => act(path, entry));
}
