/** What JavaScript adds to the pages for developers: a button at each block of code that copies it. */

for (const block of document.querySelectorAll("pre")) offerCopy(block);

/** Browsers give the clipboard to pages of https and of localhost only. */
function offerCopy(block: HTMLPreElement): void {
  if (navigator.clipboard === undefined) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const said = document.createElement("span");
  said.role = "status";
  button.addEventListener("click", async () => {
    said.textContent = await copied(block.textContent);
  });
  block.before(button, said);
}

/** A browser may refuse it; then the text is selected by hand. */
async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return " Copied.";
  } catch {
    return " Your browser has not allowed it.";
  }
}
