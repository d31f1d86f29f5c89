const SAFE_LINK = /^(https?:|mailto:)/i;
const KEPT = new Set(["P", "H1", "H2", "H3", "LI", "UL", "OL", "BLOCKQUOTE", "PRE", "A", "B", "STRONG", "I", "EM"]);

/** The clipboard's content, reduced to what a document may hold. */
export function readPaste(data: DataTransfer | null, plain = false): string {
  if (!data) {
    return "";
  }
  const html = data.getData("text/html");
  if (plain || !html) {
    return data.getData("text/plain").replace(/\r\n?/g, "\n");
  }
  const parsed = new DOMParser().parseFromString(html, "text/html");
  scrub(parsed.body);
  return [...parsed.body.children].map((child) => child.textContent ?? "").join("\n");
}

/** Takes out everything that could run, lead astray or look foreign. */
export function scrub(root: Element): void {
  for (const element of [...root.querySelectorAll("*")]) {
    if (["SCRIPT", "STYLE", "IFRAME", "OBJECT"].includes(element.tagName)) {
      element.remove();
      continue;
    }
    if (!KEPT.has(element.tagName)) {
      element.replaceWith(...element.childNodes);
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      if (name !== "href" || !SAFE_LINK.test(value)) {
        element.removeAttribute(name);
      }
    }
  }
}
