#!/usr/bin/env node
// The `onebuffer` command of a clone. The package that people install has another file under this name (tools/pack/run.mjs).
import { mainFile } from "../../../tools/packed-main.mjs";

await import(mainFile(new URL("../../../", import.meta.url)));
