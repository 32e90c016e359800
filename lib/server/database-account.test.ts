import { describe, expect, it } from "vitest";
import { userIn } from "./database-account";

const passwd = `root:x:0:0:root:/root:/bin/bash
nobody:x:65534:65533:nobody:/:/usr/sbin/nologin
postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash
`;

describe("the user that runs the database for root", () => {
  it("is the first there is of the wanted ones", () => {
    expect(userIn(passwd, ["postgres", "nobody"])).toEqual({ uid: 101, gid: 104 });
    expect(userIn(passwd, ["pg", "nobody"])).toEqual({ uid: 65_534, gid: 65_533 });
  });

  it("is never root, whatever its name", () => {
    expect(userIn("postgres:x:0:0::/:/bin/sh\n", ["postgres"])).toBeUndefined();
  });
});
