/** How long a button says that the text was copied, in milliseconds. */
const kSaidMs = 1500;

/** Adds a button to each block of code that copies it, and to each example the link that opens it in the playground. */
export function addCodeButtons(root) {
  for (const block of document.querySelectorAll(".site-main pre")) {
    const code = block.querySelector("code");
    if (code === null || block.closest(".onebuffer-panel") !== null) continue;
    const holder = document.createElement("div");
    holder.className = "site-code";
    block.replaceWith(holder);
    const bar = document.createElement("div");
    bar.className = "site-code-bar";
    if (block.dataset.example !== undefined) {
      const open = document.createElement("a");
      open.href = `${root}playground/index.html#example=${block.dataset.example}`;
      open.textContent = "Open in the playground";
      bar.append(open);
    }
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), kSaidMs);
    });
    bar.append(copy);
    holder.append(block, bar);
  }
}
