import { afterAll, beforeAll, beforeEach } from "vitest";
import { isUnavailable } from "@/lib/domain/unavailable";
import { type TestDatabase, testDatabase } from "./testing";
import { codeOf } from "./unavailable";

export type NotesDatabase = Pick<TestDatabase, "url" | "sql"> & {
  readonly notes: () => PromiseLike<readonly unknown[]>;
};

/** A database for the tests of a file, with a table of notes that is empty before each of them. */
export function databaseOfNotes(): NotesDatabase {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await database.sql`create table note (text text)`;
    await database.sql`grant all on note to public`;
  });
  afterAll(() => database.close());
  beforeEach(async () => void (await database.sql`truncate note`));
  return {
    get url() {
      return database.url;
    },
    get sql() {
      return database.sql;
    },
    notes: () => database.sql`select text from note order by ctid`,
  };
}

/** What a rejected call says; undefined when it was not. */
export const told = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => [isUnavailable(error), codeOf(error)],
  );
