// Searches the site for things that its readers look for. Each must be among the first results, and lead to a page that exists.

/** A query, and the end of an address that must be among the first three results. */
export const kSearches = [
  ["tensorOf", "functions/onebuffer.tensorOf.html"],
  ["Tensor", "classes/onebuffer.Tensor.html"],
  ["einsum", "functions/onebuffer_eigen.einsum.html"],
  ["convolve", "convolve.html"],
  ["reshape", "docs/reshaping.html#reshape"],
  ["gradients", "functions/onebuffer.gradients.html"],
  ["softmax", "softmax"],
  ["readSafetensors", "readSafetensors.html"],
  ["XlaDevice", "XlaDevice.html"],
  ["ThreadPoolDevice", "ThreadPoolDevice.html"],
  ["liveBuffers", "liveBuffers.html"],
  ["TensorSlice", "TensorSlice.html"],
  ["explain", "explain"],
  ["element types", "dtypes.html"],
  ["Content-Security-Policy", "bundlers.html"],
  ["train a network", "loops.html#train-a-network"],
  ["the command line", "command-line.html"],
  ["sixteen bytes", "2-sixteen-bytes.html"],
  ["the arena", "5-arena.html"],
  ["NumPy", "coming-from.html"],
  ["checkpoints", "files.html#checkpoints"],
  ["memory is full", "memory.html"],
];

/** Types each query into the search of a page. Returns the lines of what was not found. */
export async function driveSearches(visit, server) {
  const { page } = visit;
  const faults = [];
  await page.goto(`${server.url}docs/index.html`);
  await page.keyboard.press("/");
  for (const [query, end] of kSearches) {
    await page.$eval(
      ".site-search input",
      (input, text) => {
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
      query,
    );
    await page.waitForFunction((text) => document.querySelector(".site-search").dataset.query === text, { timeout: 20_000 }, query);
    const found = await page.$$eval(".site-results a", (links) => links.map(({ href }) => href));
    if (!found.slice(0, 3).some((href) => href.includes(end)))
      faults.push(
        `search ${query}: ${end} is not among ${found
          .slice(0, 5)
          .map((href) => href.slice(server.url.length))
          .join(" ")}`,
      );
  }
  // The first result by the keyboard.
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  faults.push(...visit.problems().map((problem) => `search: ${problem}`));
  return faults;
}
