// Light, dark, or as the system has it: the choice is applied before the page is drawn. A classic script, because modules run later.
// The explorer keeps the same choice under the same key.
(() => {
  const key = "onebuffer-scheme";
  const order = ["auto", "light", "dark"];
  let scheme = "auto";
  try {
    scheme = order.find((each) => each === localStorage.getItem(key)) ?? "auto";
  } catch {
    // Storage is off in this browser; the choice lasts as long as the page.
  }
  const apply = () => {
    document.documentElement.style.colorScheme = scheme === "auto" ? "light dark" : scheme;
  };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".site-scheme");
    if (button === null) return;
    const draw = () => {
      button.textContent = `Colors: ${scheme === "auto" ? "system" : scheme}`;
    };
    button.hidden = false;
    draw();
    button.addEventListener("click", () => {
      scheme = order[(order.indexOf(scheme) + 1) % order.length];
      apply();
      draw();
      try {
        localStorage.setItem(key, scheme);
      } catch {
        // As above.
      }
    });
  });
})();
