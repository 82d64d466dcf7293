/** Returns a text as the content of an SVG element or attribute. */
export const text = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
