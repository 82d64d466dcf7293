#!/usr/bin/env node
// The `onebuffer` command as npm installs it.
import "../dist/src/main.js";
