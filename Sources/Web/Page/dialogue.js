// A question that is answered with yes or no.

import { byId } from "./elements.js";

/** Asks, and says whether the answer was yes. */
export function confirmed(question, yes) {
  const dialog = byId("question");
  byId("question-words").textContent = question;
  byId("question-yes").textContent = yes;
  return new Promise(resolve => {
    const end = answer => { dialog.close(answer); };
    byId("question-yes").onclick = () => end("yes");
    byId("question-no").onclick = () => end("no");
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    dialog.returnValue = "no";
    dialog.showModal();
    byId("question-no").focus();
  });
}
