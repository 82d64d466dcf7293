/** How the texts of the site are indexed and searched: the build writes the index with these options, the page reads it with them. */

const wholeWordsOf = (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");

/** Returns the words of a text; of a name such as `reduceMean` also its parts. */
export function wordsOf(text) {
  return wholeWordsOf(text).flatMap((word) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])|_/).filter((part) => part.length > 1);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** Options of MiniSearch. */
export const searchOptions = {
  idField: "id",
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "url", "kind", "shown"],
  tokenize: wordsOf,
  searchOptions: {
    boost: { title: 6, page: 2 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    weights: { prefix: 0.6, fuzzy: 0.25 },
    combineWith: "AND",
    tokenize: wholeWordsOf,
  },
};
