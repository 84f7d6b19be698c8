// SPDX-License-Identifier: GPL-2.0-only
/* Order of search results: pages that explain come before lists and evidence, and titles with the words
   that were searched for come first. Sphinx puts this file into language_data.js. */
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  /* The first folder or page that a name begins with counts. */
  rooms: [
    ["doc/how-to/", 14],
    ["doc/tutorials/", 12],
    ["doc/start", 12],
    ["doc/glossary", 10],
    ["doc/reference/cpp-", -20],
    ["doc/reference/python", -12],
    ["doc/reference/trace-sources", -12],
    ["doc/reference/parameters", -4],
    ["doc/reference/options", -2],
    ["doc/reference/", 6],
    ["doc/concepts/", 6],
    ["doc/schedulers/", 2],
    ["doc/validation/", -10],
    ["scratch/", -12],
    ["index", -6],
    ["", -14],
  ],

  wordsOf: (text) => text.toLowerCase().match(/[\p{Letter}\p{Number}_-]+/gu) || [],

  score: (result) => {
    const [name, title, , , score, , kind] = result;
    const query = (new URLSearchParams(window.location.search).get("q") || "").trim();
    /* bypassBytes, CoflowHelper, cct_s or --jump: a name of the code, and no word. */
    const isName = /[a-z][A-Z]|::|_|--/.test(query);
    if (kind === "object") {
      const last = title.split(/::|\./).pop().toLowerCase();
      const isExact = last === query.split(/::|\./).pop().toLowerCase();
      return isExact ? (isName ? 60 : 12) : score - 20;
    }
    let room = Scorer.rooms.find(([start]) => name.startsWith(start))[1];
    if (isName && /^doc\/reference\/(parameters|options|results)/.test(name)) {
      room += 24;
    }
    if (name === "doc/glossary" && kind === "text") {
      room -= 12; /* the entry stands in the list by itself */
    }
    const stem = (word) => new Stemmer().stemWord(word);
    const searched = Scorer.wordsOf(query).map(stem);
    const inTitle = new Set(Scorer.wordsOf(title).map(stem));
    const found = searched.filter((word) => inTitle.has(word)).length;
    return score + room + (searched.length ? (20 * found) / searched.length : 0);
  },
};
