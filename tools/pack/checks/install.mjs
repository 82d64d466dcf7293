// What is in the tarball, and that Node runs it: `node -e`, modules, `require`, the command, workers, two copies at once.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { exportsOf, publicPaths } from "../../public-names.mjs";
import { equal, run } from "./context.mjs";
import { expected } from "./programs/program.mjs";
import { kFilesPrinted } from "./runtimes.mjs";

/** What the tarball may weigh in bytes: what it had when the budget was set, and what was added since then, each with its measured weight. */
const BUDGET = {
  "the package before gradients": 3_000_000,
  "onebuffer/gradients": 70_000,
  "onebuffer/linalg": 150_000,
  "onebuffer/signal": 90_000,
  "schur, sqrtm, logm, tensorsolve, assignments in steps, complex factorizations, gradients of recursive filters": 35_000,
  "onebuffer/webgpu": 172_000,
  "integers of 8, 16 and 64 bits, long rows in blocks and the scans of gradients on a GPU": 13_000,
  "declarations rolled into a file for each entry, so that a compiler reads 30 files and not 493": 110_000,
  "advice for names of other libraries, pictures, a chapter of the course, two examples, and the pages of all these": 120_000,
  "an example for each call of tensors, maps and expressions, which editors show": 20_000,
  "panels for plans, kernels, places, shards, bytes on their way and a network with its weights, and six chapters of the course": 80_000,
  "the panel of a GPU, which has onebuffer/webgpu once more as a page loads it, and the page that filters a camera's frames": 40_000,
  "help of each command, Examples by feature, a picture of shards, two pages for users": 15_000,
  "strided maps as expressions, advice for 60 more names and for operators, a page without a bundler": 8_000,
  "an interpolation and its gradient as one pass over rows, slow operations that rows repeat, steps on XlaDevice": 16_000,
  "Cholesky by columns, triangles of two rows, panels of LU in one pass, T of QR from its halves": 7_000,
  "numbers that nodes store for walks, first shares of extremes, few rows of transposed factors": 9_000,
  "kernels of linear algebra and of transforms that load after the page begins, images along both axes at once": 9_000,
  "depthwise convolutions that copy only the edges of a padded map, images made smaller and pieces copied by one call": 8_000,
  "maxima of windows in two instructions, Schur forms whose pairs are rounded to triangles": 5_000,
  "operands that are made when they are first read, and plans found by what these are made from": 9_000,
  "workers of pools that do not answer or end while they start, gradients of pseudo-inverses, errors of solvers by the name of the call": 4_000,
  "buffers of a GPU that come back, or keep their elements, whatever ends a call": 2_000,
  "windows, resizes and einsum as one node, plans over arrays outside the linear memory, scatters as steps, arrays without a visible owner": 14_000,
  "composed methods and products with a vector as one node, gathers from computed tables, memory that no assertion prints": 7_000,
  "targets between the elements of operands": 3_000,
  "loops across rows of a few elements, places of short rows, sizes of .npz files, calls in place of other libraries' names": 5_000,
  "places in sorted rows, elements at places, kernels at any address, gradients of patches without a window, a page of NumPy's functions": 16_000,
  "networks that sort short rows, narrow dtypes in kernels and shaders, decompositions near the ends of the range": 24_000,
  "signals that end calls which wait, tensors that are held while files are written, gradients at ties, overflow and branch cuts": 14_000,
};
const MOST_BYTES = Object.values(BUDGET).reduce((sum, bytes) => sum + bytes, 0);
const MOST_ERROR_BYTES = 3000;
const PAGES = ["README.md", "LICENSE", "CHANGELOG.md", "NOTICE"];

/** Sends bytes that are no frame to each copy of the runner, which answers so only if it finds its protocol. Without Python it does nothing. */
function runnersStart(folder) {
  const programs = ["node", "esm/stablehlo/device"].map((path) => join(folder, path, "xla_runner.py"));
  const socket = "import os, socket, subprocess, sys; a, b = socket.socketpair(); a.sendall(b'\\xff' * 9); os.dup2(b.fileno(), 3);";
  for (const program of programs) {
    const start = `${socket} subprocess.run([sys.executable, '-I', sys.argv[1]], pass_fds=[3])`;
    const { error, stderr } = spawnSync("python3", ["-c", start, program], { encoding: "utf8" });
    if (error?.code === "ENOENT") return "no python3 to start it";
    if (!stderr.includes("DATA_LOSS: a frame of")) throw new Error(`${program} prints ${JSON.stringify(stderr)}`);
  }
  return "it starts";
}

export const INSTALL_CHECKS = {
  "the tarball: within its budget, its pages inside, nothing else installed with it"({ app, tarball, package: folder }) {
    const { size } = statSync(tarball);
    if (size > MOST_BYTES) throw new Error(`${size} bytes, more than ${MOST_BYTES}`);
    for (const page of PAGES) if (!existsSync(join(folder, page))) throw new Error(`${page} is missing`);
    equal(
      readdirSync(join(app, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .join(),
      "onebuffer",
      "what is installed",
    );
    return `${(size / 1e6).toFixed(2)} MB`;
  },
  "the links of the pages for users"({ package: folder }) {
    const pages = [
      "README.md",
      "examples/README.md",
      "examples/data/README.md",
      ...readdirSync(join(folder, "docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`),
    ];
    const links = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), "utf8").matchAll(/\]\(([^):#\s]+)[^):]*\)|^\[[^\]]+\]: ([^:\s]+)$/gm)].map(
        ([, inline, referenced]) => [page, join(folder, page, "..", inline ?? referenced)],
      ),
    );
    for (const [page, path] of links) if (!existsSync(path)) throw new Error(`${page}: there is no ${path}`);
    return `${links.length} links in ${pages.length} pages`;
  },
  "Node: -e, import, require"({ node }) {
    const program = "import('onebuffer').then(({ Tensor }) => console.log(String(Tensor.from([1, 2]).toArray())))";
    equal(node("-e", program), "1,2", "node -e");
    equal(
      node("--input-type=module", "-e", "import { Tensor } from 'onebuffer'; console.log(Tensor.arange(3).toArray().join())"),
      "0,1,2",
      "import",
    );
    equal(node("run-program.mjs"), expected, "program.mjs");
    equal(node("--no-warnings", "required.cjs"), "[[[1,2]],1]", "required.cjs");
  },
  "XlaDevice finds its runner, in the files that Node loads and in the modules"({ node, package: folder }) {
    const program = (path) =>
      `import { XlaDevice } from ${JSON.stringify(path)}; await XlaDevice.start({ python: "/no/python" }).catch(({ message }) => console.log(message.slice(0, 33)));`;
    for (const path of ["onebuffer/xla-device", join(folder, "esm/onebuffer/entries/xla-device.js")])
      equal(node("--input-type=module", "-e", program(path)), 'no Python was found as "/no/python"'.slice(0, 33), path);
    return runnersStart(folder);
  },
  "an uncaught error prints at most 3 kB: Node shows the line that threw"({ app }) {
    const throwing = [
      ["Tensor.from([1, 2]).matrix()", "INVALID_ARGUMENT: Asking for tensor of 2 dimensions"],
      ["Tensor.from([1, 2]).vec().at(7)", "OUT_OF_RANGE: index 7"],
      ["Tensor.from([1, 2]).vec().add(Tensor.ones([3]))", "Incompatible shapes"],
      ["Tensor.zeros([3], 'int32')", "INVALID_ARGUMENT"],
      ["Tensor.from([300], { dtype: 'uint8' })", "INVALID_ARGUMENT"],
      ["readNpy(new Uint8Array(200))", "INVALID_ARGUMENT"],
      ["tensorOf(Tensor.from([1, 2], { dtype: 'int32' }).vec().div(0))", "INVALID_ARGUMENT"],
      ["receiveTensor({})", "INVALID_ARGUMENT"],
    ];
    let most = 0;
    for (const [code, message] of throwing) {
      const program = `import { readNpy, receiveTensor, Tensor, tensorOf } from "onebuffer"; ${code};`;
      const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd: app, encoding: "utf8" });
      if (!stderr.includes(message)) throw new Error(`${code} does not print ${message}: ${stderr}`);
      if (stderr.length > MOST_ERROR_BYTES) throw new Error(`${code} prints ${stderr.length} bytes, more than ${MOST_ERROR_BYTES}`);
      most = Math.max(most, stderr.length);
    }
    return `at most ${most} bytes`;
  },
  "the programs of examples/: each runs from the installed package"({ package: folder, node }) {
    const names = readdirSync(join(folder, "examples"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "data")
      .map(({ name }) => name)
      // Programs with a page need a browser.
      .filter((name) => !existsSync(join(folder, "examples", name, "index.html")));
    for (const name of names) {
      const printed = node(`node_modules/onebuffer/examples/${name}/${name}.js`);
      if (printed === "") throw new Error(`${name} prints nothing`);
    }
    return names.join(", ");
  },
  "every sub-path loads in Node and has its names"({ node }) {
    const program = `
      const names = {};
      for (const path of ${JSON.stringify(publicPaths)}) names[path] = Object.keys(await import(path)).sort();
      console.log(JSON.stringify(names));`;
    const found = JSON.parse(node("--input-type=module", "-e", program));
    for (const path of publicPaths) {
      const values = [...exportsOf(path)].flatMap(([name, kind]) => (kind === "value" ? [name] : []));
      equal(found[path].join(), values.join(), path);
    }
    return `${publicPaths.length} paths`;
  },
  "npx onebuffer: the tour, on the data that ships, and a file"({ app }) {
    const printed = run("npx", ["--offline", "onebuffer", "tour"], app);
    if (printed.split("\n").length < 20) throw new Error(`the tour printed ${JSON.stringify(printed)}`);
    const described = run("npx", ["--offline", "onebuffer", "node_modules/onebuffer/examples/data/digits.npy"], app);
    if (!described.includes("uint8") || !described.includes("1797")) throw new Error(`the file is described as ${described}`);
    return `${printed.split("\n").length} lines`;
  },
  "a worker of Node shares a tensor's bytes": ({ node }) => void equal(node("threads.mjs"), "[4000,2,0]", "threads.mjs"),
  "a pool of threads computes; the process ends by itself": ({ node }) => void equal(node("run-pool.mjs"), "[3,true]", "run-pool.mjs"),
  "files on disk are written and read": ({ node }) => void equal(node("files.mjs"), kFilesPrinted, "files.mjs"),
  "two copies in one thread: one arena": ({ node }) => void equal(node("copies.mjs"), "[false,true,[9,2,3],[18,4,6]]", "copies.mjs"),
  "a copy of a version with another layout: FAILED_PRECONDITION at first use"({ node }) {
    const program = `
      Object.defineProperty(globalThis, Symbol.for("onebuffer.linearMemory"), { value: { version: -1, memory: null } });
      const { Tensor, TensorShape } = await import("onebuffer");
      console.log(new TensorShape([2]).dims);
      try { Tensor.from([1]); } catch (error) { console.log(error.code); }`;
    equal(node("--input-type=module", "-e", program), "1\nFAILED_PRECONDITION", "the other version");
  },
};
