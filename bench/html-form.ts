export type Input = {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
};

/** A form as a browser without scripts sees it. */
export type Form = {
  readonly action: string;
  readonly inputs: readonly Input[];
  /** With the text on them; a nameless button sends nothing of its own. */
  readonly buttons: readonly {
    readonly text: string;
    readonly name: string;
    readonly value: string;
  }[];
};

/** The forms of one of our own pages: React writes every value in double quotes. */
export function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inner = ""]) => {
    // A form that names no address is sent to the page it stands on.
    const { action = "" } = attributes(head);
    return {
      action,
      inputs: [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, own = ""]) => inputOf(own)),
      buttons: [...inner.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(
        ([, own = "", content = ""]) => {
          const { name = "", value = "" } = attributes(own);
          return { name, value, text: decoded(content.replace(/<[^>]*>/g, "")).trim() };
        },
      ),
    };
  });
}

function inputOf(head: string): Input {
  const { type = "text", name = "", value, checked } = attributes(head);
  return {
    type,
    name,
    value: value ?? (type === "checkbox" ? "on" : ""),
    checked: checked !== undefined,
  };
}

function attributes(head: string): Readonly<Record<string, string>> {
  const pairs = [...head.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name.toLowerCase(), decoded(value)]),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
};

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return NAMED[name] ?? whole;
  });
}
