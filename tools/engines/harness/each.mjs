// Tables of tests as Jest has them: `test.each(rows)(title, act)`.

const kShown = 60;

function shown(value) {
  if (typeof value === "bigint") return `${value}n`;
  try {
    return typeof value === "object" ? JSON.stringify(value).slice(0, kShown) : String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Fills `%s` and its relatives, `%#`, and `$name` of a row that is an object. */
function titleOf(title, args, index) {
  let next = 0;
  const filled = title
    .replaceAll("%#", String(index))
    .replace(/%([sdifjoOp%])/g, (whole, kind) => (kind === "%" ? "%" : next < args.length ? shown(args[next++]) : whole));
  const [row] = args;
  if (row === null || typeof row !== "object") return filled;
  return filled.replace(/\$([a-zA-Z]\w*)/g, (whole, name) => (name in row ? shown(row[name]) : whole));
}

/** Returns the `each` of a function that takes a title, a function and a limit. */
export const eachOf = (add) => (rows) => (title, act, limit) => {
  const lists = rows.every(Array.isArray) ? rows : rows.map((row) => [row]);
  lists.forEach((args, index) => {
    add(titleOf(title, args, index), () => act(...args), limit);
  });
};
