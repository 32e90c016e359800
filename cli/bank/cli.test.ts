import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** As a person runs it. */
function cli(...args: readonly string[]) {
  const program = [
    "--import",
    import.meta.resolve("tsx"),
    path.join(root, "cli/bank/cli.ts"),
    ...args,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, program, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe("npm run bank", () => {
  it("says on stdout what it has to say, and ends with 0", async () => {
    const stdout = expect.stringContaining("npm run bank -- COMMAND");
    expect(await cli("--help")).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("says on stderr what it has not understood, and ends with 2", async () => {
    const stderr = expect.stringContaining("there is no command no-such");
    expect(await cli("no-such")).toEqual({ code: 2, stdout: "", stderr });
  });
});
