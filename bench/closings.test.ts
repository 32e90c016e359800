import { expect, it } from "vitest";
import { closingAfter, newClosings } from "./closings";

it("what was opened last is closed first, and only once", async () => {
  const closings = newClosings();
  const closed: string[] = [];
  for (const name of ["database", "server"]) closings.add(async () => closed.push(name));
  await Promise.all([closings.close(), closings.close()]);
  expect(closed).toEqual(["server", "database"]);
});

it("work that fails closes what it has opened", async () => {
  const closed: string[] = [];
  const failing = closingAfter(async (closings) => {
    closings.add(async () => closed.push("database"));
    throw new Error("the port is in use");
  });
  await expect(failing).rejects.toThrow("the port is in use");
  expect(closed).toEqual(["database"]);
});
