import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import * as z from "zod";
import {
  ACR_LOGIN,
  ACR_SCA,
  BANK_API_AUDIENCE,
  DETAILS_TYPE,
} from "@/cli/identity-provider/provider";
import { readSettings, settingNames } from "@/lib/config";

const folder = path.join(import.meta.dirname, "../../deploy");
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");

const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
});
const compose = z.object({ services: z.record(z.string(), service) });
const environment = z.array(z.object({ name: z.string(), value: z.string().optional() }));
const container = z.object({ env: environment, args: z.array(z.string()) });
const workload = z.object({
  kind: z.enum(["Deployment", "Job"]),
  spec: z.object({ template: z.object({ spec: z.object({ containers: z.array(container) }) }) }),
});

/** What a bank has in the secrets that the chart names. */
const secrets = {
  DATABASE_URL: "postgres://drawbridge:secret@db:5432/drawbridge",
  COOKIE_SECRET: "c".repeat(32),
  SESSION_SECRET: "s".repeat(32),
  CODE_SECRET: "k".repeat(32),
};

it("the hosts and the migration of the compose file have settings that are enough outside a sandbox", () => {
  // As compose does; the value of each variable is long enough for a secret.
  const text = textOf("compose.yaml").replace(/\$\{(\w+)(:[?-][^}]*)?\}/g, "x".repeat(32));
  const { services } = compose.parse(parse(text, { merge: true }));
  for (const name of ["tpp", "web", "migrate"]) {
    const given = services[name]?.environment ?? {};
    const unknown = Object.keys(given).filter((setting) => !settingNames.includes(setting));
    expect(unknown).toEqual(["NODE_EXTRA_CA_CERTS"]);
    expect(readSettings(given)).toMatchObject({
      SANDBOX: false,
      IDP_ACR_LOGIN: ACR_LOGIN,
      IDP_ACR_SCA: ACR_SCA,
      IDP_AUTHORIZATION_DETAILS: DETAILS_TYPE,
      BANK_API_AUDIENCE,
    });
  }
  for (const { environment: given } of [services["tpp"], services["web"]].filter((one) => !!one))
    expect(given).not.toHaveProperty("MIGRATION_DATABASE_URL");
  for (const [name, one] of Object.entries(services).filter(([name]) => name !== "postgres"))
    expect({ name, ...one }).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
});

it.each([
  ["smallest", ["tpp", "web"]],
  ["whole", ["probe", "tpp", "web"]],
])(
  "the chart, with its %s values, gives settings that exist, and the owner's URL to the job alone",
  (name, running) => {
    const containers = parseAllDocuments(textOf(`helm/snapshots/${name}.yaml`))
      .map((document) => workload.safeParse(document.toJS()))
      .flatMap(({ data }) =>
        data === undefined ? [] : [{ kind: data.kind, ...data.spec.template.spec }],
      )
      .flatMap(({ kind, containers: [one] }) => (one === undefined ? [] : [{ kind, ...one }]));
    const names = containers.map(({ args }) => /(\w+)\.mjs/.exec(args.join(" "))?.[1]);
    expect(names.toSorted()).toEqual(["bank", ...running]);
    for (const { kind, env } of containers) {
      const given = Object.fromEntries(
        env.map(({ name: setting, value = "" }) => [setting, value]),
      );
      const unknown = Object.keys(given).filter((setting) => !settingNames.includes(setting));
      expect(unknown).toEqual(name === "smallest" ? ["NODE_EXTRA_CA_CERTS"] : []);
      expect("MIGRATION_DATABASE_URL" in given).toBe(kind === "Job");
      if (name === "smallest") expect(readSettings({ ...given, ...secrets }).SANDBOX).toBe(false);
    }
  },
);
