import { createHash } from "node:crypto";
import * as z from "zod";

/** The look that holds where a bank's file has none of its own; the same as components/look/tokens.css, which a test compares. */
export const defaultColours = {
  light: {
    paper: "#f4f2ec",
    card: "#fffefb",
    sunk: "#f0efe7",
    line: "#dcd7c9",
    edge: "#6d756f",
    ink: "#18211f",
    muted: "#535d58",
    brand: "#0f4c4d",
    "brand-deep": "#0a3839",
    "on-brand": "#ffffff",
    counter: "#414b48",
    "counter-deep": "#2d3533",
    link: "#0b5a5c",
    tint: "#e4efec",
    error: "#a3231f",
    "error-tint": "#fbeeec",
    good: "#1c6238",
    "good-tint": "#e8f3ea",
    focus: "#f6b73c",
    "focus-edge": "#18211f",
  },
  dark: {
    paper: "#0f1516",
    card: "#172021",
    sunk: "#1e292a",
    line: "#2f3c3d",
    edge: "#93a19d",
    ink: "#ecefec",
    muted: "#b0bab6",
    brand: "#9fd6cb",
    "brand-deep": "#c0e8df",
    "on-brand": "#0c2021",
    counter: "#c9d0cd",
    "counter-deep": "#e4e9e7",
    link: "#9fd6cb",
    tint: "#1d3333",
    error: "#ffaea5",
    "error-tint": "#3a1f1d",
    good: "#a3dcb5",
    "good-tint": "#1a3023",
    focus: "#f6b73c",
    "focus-edge": "#18211f",
  },
} as const;

type Colour = keyof typeof defaultColours.light;
type Colours = Readonly<Record<Colour, string>>;

/** What stands on what, and its least contrast by WCAG 2.2: 1.4.3 for text, 1.4.11 for edges, fields and the focus. */
const contrasts: readonly (readonly [Colour, on: readonly Colour[], min: 4.5 | 3])[] = [
  ["ink", ["paper", "card", "sunk", "tint", "error-tint", "good-tint"], 4.5],
  ["muted", ["paper", "card"], 4.5],
  ["link", ["paper", "card", "tint"], 4.5],
  ["on-brand", ["brand", "brand-deep"], 4.5],
  ["card", ["counter", "counter-deep"], 4.5],
  ["error", ["card", "error-tint"], 4.5],
  ["good", ["card", "good-tint"], 4.5],
  ["edge", ["paper", "card"], 3],
  ["brand", ["card"], 3],
  ["focus", ["focus-edge"], 3],
];

const colour = z
  .string("expected a colour as #rrggbb")
  .regex(/^#[0-9a-f]{6}$/i, "expected a colour as #rrggbb");
const colours = z
  .strictObject(
    Object.fromEntries(
      Object.keys(defaultColours.light).map((name) => [name, colour.optional()]),
    ) as Record<Colour, z.ZodOptional<typeof colour>>,
  )
  .prefault({});

const SHIPPED = {
  "source-sans": '"Source Sans 3", system-ui, sans-serif',
  "source-serif": '"Source Serif 4", Georgia, serif',
  system: "system-ui, sans-serif",
} as const;
type Shipped = keyof typeof SHIPPED;

const FONT = "source-sans, source-serif, system, or a .woff2 file beside this one";
const font = z
  .string(`expected ${FONT}`)
  .regex(/^(source-sans|source-serif|system|[\w-]+\.woff2)$/, {
    error: `expected ${FONT}`,
  });

export const themeSchema = z
  .strictObject({
    logo: z
      .string("expected an .svg file beside this one")
      .regex(/^[\w-]+\.svg$/, "expected an .svg file beside this one")
      .optional(),
    radius: z
      .number("expected a number of pixels from 0 to 24")
      .min(0, "expected a number of pixels from 0 to 24")
      .max(24, "expected a number of pixels from 0 to 24")
      .optional()
      .meta({ description: "Of cards, in pixels; of fields and buttons four sevenths of it." }),
    font: z
      .strictObject({ body: font.default("source-sans"), headings: font.default("source-serif") })
      .prefault({}),
    colours: z.strictObject({ light: colours, dark: colours }).prefault({}),
  })
  .optional()
  .meta({
    description:
      "How the pages look. Colours that are left out are the demo bank's; each pair that is read has to have the contrast of WCAG 2.2.",
  });

type ThemeGiven = NonNullable<z.infer<typeof themeSchema>>;

/** The colours that are read on others with too little contrast. */
export function faintPairs(theme: ThemeGiven) {
  return (["light", "dark"] as const).flatMap((scheme) => {
    const all = coloursOf(theme, scheme);
    return contrasts.flatMap(([name, grounds, min]) =>
      grounds.flatMap((ground) => {
        const ratio = contrastOf(all[name], all[ground]);
        if (ratio >= min) return [];
        const given = theme.colours[scheme];
        const at = given[name] === undefined && given[ground] !== undefined ? ground : name;
        const other = at === name ? ground : name;
        const found = `${all[name]} on ${all[ground]} has ${(Math.floor(ratio * 100) / 100).toFixed(2)}`;
        const message = `expected a contrast with ${other} of ${min} or more (WCAG 2.2): ${found}`;
        return [{ path: ["theme", "colours", scheme, at], message }];
      }),
    );
  });
}

function coloursOf({ colours }: ThemeGiven, scheme: "light" | "dark"): Colours {
  const given = Object.entries(colours[scheme]).filter(([, value]) => value !== undefined);
  return { ...defaultColours[scheme], ...Object.fromEntries(given) };
}

/** WCAG 2.2, contrast ratio. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What browsers load of a theme, by the name of its file; `version` changes with any of it. */
export type Theme = {
  readonly version: string;
  readonly files: ReadonlyMap<string, ThemeFile>;
};

type ThemeFile = { readonly type: string; readonly content: Uint8Array<ArrayBuffer> };

export function filesOf({ logo, font }: ThemeGiven) {
  const fonts = (["body", "headings"] as const).filter((use) => font[use].endsWith(".woff2"));
  return [
    ...(logo === undefined ? [] : [{ path: ["theme", "logo"], name: logo }]),
    ...fonts.map((use) => ({ path: ["theme", "font", use], name: font[use] })),
  ];
}

const LOGO_BYTES_MAX = 65_536;
const FONT_BYTES_MAX = 524_288;
/** An image in a page runs nothing and loads nothing; opened by itself it must not either. */
const ACTIVE =
  /<script|<foreignObject|<!ENTITY|<!DOCTYPE|\son[a-z]+\s*=|(?:href|src)\s*=\s*["'](?!#)|url\(\s*["']?(?!#)|@import/i;

/** What is wrong with the content of a file that a theme names. */
export function fileFault(name: string, content: Uint8Array): string | undefined {
  if (name.endsWith(".woff2")) {
    const isFont = Buffer.from(content.subarray(0, 4)).toString("latin1") === "wOF2";
    return isFont && content.byteLength <= FONT_BYTES_MAX
      ? undefined
      : `expected a WOFF2 font of ${FONT_BYTES_MAX} bytes at most`;
  }
  const svg = Buffer.from(content).toString("utf8");
  if (content.byteLength > LOGO_BYTES_MAX || viewBoxOf(svg) === undefined) {
    return `expected an SVG image with a viewBox, of ${LOGO_BYTES_MAX} bytes at most`;
  }
  return ACTIVE.test(svg) ? "expected an SVG image without scripts and references" : undefined;
}

function viewBoxOf(svg: string) {
  const [, width, height] =
    /<svg\b[^>]*\bviewBox="[\d.-]+[ ,]+[\d.-]+[ ,]+([\d.]+)[ ,]+([\d.]+)"/.exec(svg) ?? [];
  return Number(width) > 0 && Number(height) > 0
    ? { width: Number(width), height: Number(height) }
    : undefined;
}

/** The stylesheet and the files of a theme, all of which have been checked. */
export function themeOf(
  given: ThemeGiven,
  contents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Theme {
  const version = createHash("sha256").update(JSON.stringify(given));
  for (const content of contents.values()) version.update(content);
  const named = version.digest("hex").slice(0, 12);
  const css = Buffer.from(stylesheet(given, contents, named));
  const files = new Map<string, ThemeFile>([["theme.css", { type: "text/css", content: css }]]);
  for (const [name, content] of contents) {
    files.set(name, { type: name.endsWith(".svg") ? "image/svg+xml" : "font/woff2", content });
  }
  return { version: named, files };
}

/** Over what components/look/tokens.css says, in whatever order the two are loaded. */
function stylesheet(
  given: ThemeGiven,
  contents: ReadonlyMap<string, Uint8Array>,
  version: string,
): string {
  const { logo, radius, font } = given;
  const variables = (scheme: "light" | "dark") =>
    Object.entries(coloursOf(given, scheme)).map(([name, value]) => `--color-${name}:${value};`);
  const radii = { card: 1, box: 5 / 7, field: 4 / 7 };
  const shape =
    radius === undefined
      ? []
      : Object.entries(radii).map(
          ([name, share]) => `--radius-${name}:${Math.round(radius * share * 10) / 10}px;`,
        );
  const family = (name: string) =>
    name in SHIPPED ? SHIPPED[name as Shipped] : `"${name}", system-ui, sans-serif`;
  const faces = [...new Set([font.body, font.headings])]
    .filter((name) => name.endsWith(".woff2"))
    .map(
      (name) =>
        `@font-face{font-family:"${name}";font-weight:200 900;font-display:swap;src:url("${name}?v=${version}") format("woff2")}`,
    );
  const fonts = `--font-sans:${family(font.body)};--font-serif:${family(font.headings)};`;
  return [
    ...faces,
    `html:root{${[...variables("light"), ...shape].join("")}${fonts}}`,
    `@media (prefers-color-scheme:dark){html:root{${variables("dark").join("")}}}`,
    ...(logo === undefined ? [] : [logoRules(logo, contents.get(logo), version)]),
  ].join("\n");
}

/** In place of the mark in the header, as high as that one. */
function logoRules(name: string, content: Uint8Array | undefined, version: string): string {
  const { width, height } = viewBoxOf(Buffer.from(content ?? []).toString("utf8")) ?? {
    width: 1,
    height: 1,
  };
  const wide = Math.min(6, Math.round((width / height) * 200) / 100);
  return `.bank-mark>*{display:none}.bank-mark{width:${wide}rem;background:url("${name}?v=${version}") center/contain no-repeat}`;
}
