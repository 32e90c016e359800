import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { allSchemas, operations } from "./testing/described";

const FOLDER = join(import.meta.dirname, "../../../../shared/standard");
const FILES = ["xs2a-1.3.12.openapi.yaml", "funds-consent-2.0.openapi.yaml"];

type Parameter = { readonly $ref?: string; readonly name?: string };
type Described = {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
};
type File = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, { readonly name: string }>> };
};

/** What is the bank's own, with its reason. */
const OWN = {
  // The specification writes it so, and the standard allPsd2: both are taken.
  fields: ["allPSD2"],
  // The place in a list that `_links.next` leads to.
  query: ["cursor"],
  // The standard does not say how to refuse a body that is too large (RFC 9110, 15.5.14).
  statuses: ["413"],
  // When the call was signed: the standard's signature covers it.
  headers: ["date"],
};

describe.skipIf(!existsSync(FOLDER))("every name is the standard's", () => {
  const files = FILES.filter((name) => existsSync(join(FOLDER, name))).map(
    (name) => parse(readFileSync(join(FOLDER, name), "utf8")) as File,
  );
  const offered = files.flatMap((file) =>
    Object.entries(file.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => ({
        call: `${method} ${path.trim()}`,
        one,
        file,
      })),
    ),
  );
  /** The bank's areas have prefixes of their own, and that file its version in the server's address. */
  const inStandard = (path: string) =>
    path.replace(/^\/open-banking\/v3\.1\/(cbpii\/v2|aisp|pisp|cbpii)\//, "/");
  // The list of authorisations of a consent for funds is offered as that of any other consent is.
  const known = operations.filter(({ path }) => !/cbpii\/v2\/.*authorisations/.test(path));

  it("paths, parameters and statuses", () => {
    const own = known.flatMap(({ method, path, parameters, responses }) => {
      const call = `${method} ${inStandard(path)}`;
      const [found] = offered.filter((one) => one.call === call);
      if (found === undefined) return [call];
      const { one, file } = found;
      const names = [...(one.parameters ?? []), ...besideMethods(file, call)].map((parameter) =>
        nameOf(file, parameter),
      );
      const allowed = [...names, ...OWN.query, ...OWN.headers].map((name) => name?.toLowerCase());
      const statuses = [...Object.keys(one.responses), ...OWN.statuses];
      const ours = parameters.flatMap((parameter) => ("name" in parameter ? [parameter.name] : []));
      return [
        ...ours.filter((name) => !allowed.includes(name.toLowerCase())),
        ...Object.keys(responses).filter((status) => !statuses.includes(status)),
      ].map((what) => `${call}: ${what}`);
    });
    expect(known.length).toBeGreaterThan(18);
    expect(own).toEqual([]);
  });

  it("fields of requests and answers", () => {
    const names = new Set(files.flatMap((file) => propertiesIn(file)));
    const ours = allSchemas().flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
    const own = [...new Set(ours)].filter((name) => !names.has(name) && !OWN.fields.includes(name));
    expect(own).toEqual([]);
  });
});

function nameOf({ components }: File, { $ref, name }: Parameter): string | undefined {
  return name ?? components.parameters[String($ref).replace(/^.*\//, "")]?.name;
}

/** Parameters that stand beside the methods of a path. */
function besideMethods({ paths }: File, call: string): readonly Parameter[] {
  const path = Object.keys(paths).find((one) => call.endsWith(` ${one.trim()}`));
  const beside = path === undefined ? undefined : paths[path]?.["parameters"];
  return Array.isArray(beside) ? beside : [];
}

function propertiesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "properties" in value && typeof value.properties === "object" ? value.properties : {};
  return [...Object.keys(own ?? {}), ...Object.values(value).flatMap(propertiesIn)];
}
