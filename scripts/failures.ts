import { relative } from "node:path";
import { z } from "zod";

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** More of them have one reason, which the first will do for. */
const SHOWN_MAX = 20;

/**
 * What has failed, a line each, of the report that vitest writes. Said once more at the end of everything, since its own
 * words stand thousands of lines above. Throws at a report of another form.
 */
export function failuresOf(written: unknown, root: string): readonly string[] {
  const failed = report.parse(written).testResults.flatMap((file) => {
    if (file.status !== "failed") return [];
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    const place = relative(root, file.name);
    if (tests.length === 0) return [`${place}: ${firstLine(file.message)}`];
    return tests.map(
      ({ fullName, failureMessages }) =>
        `${place}: ${fullName}: ${firstLine(failureMessages?.join("\n"))}`,
    );
  });
  return failed.slice(0, SHOWN_MAX);
}

function firstLine(message: string | undefined): string {
  return message?.split("\n").find((line) => line.trim().length > 0) ?? "without a reason";
}
