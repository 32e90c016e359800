import { Constructed, fromBER, Null } from "asn1js";
import { describe, expect, it } from "vitest";
import { sequence } from "@/lib/sandbox/der";
import {
  psd2Statement,
  qcCompliance,
  qcType,
  writtenRole,
} from "@/lib/sandbox/qc-statements-encode";
import { readQcStatements } from "./qc-statement";

/** PSP_PI, PSP_AI and PSP_IC of the National Bank of Romania, as another encoder wrote it. */
const vector = Buffer.from(
  "30670606040081982702305d303930110607040081982701020c065053505f504930110607040081982701030c06" +
    "5053505f414930110607040081982701040c065053505f49430c184e6174696f6e616c2042616e6b206f662052" +
    "6f6d616e69610c06524f2d4e4252",
  "hex",
);
const psd2 = {
  roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
  authorityName: "National Bank of Romania",
  authorityId: "RO-NBR",
};

describe("qcStatements", () => {
  it("are a list of statements", () => {
    const read = readQcStatements(sequence(qcCompliance(), qcType("web"), vector));
    const types = ["0.4.0.1862.1.6.3"];
    expect(read).toEqual({ listed: true, qualified: true, types, psd2 });
  });

  it("may be the PSD2 statement itself", () => {
    const read = readQcStatements(vector);
    expect(read).toEqual({ listed: false, qualified: false, types: [], psd2 });
  });

  it("may hold statements that nobody here asks for", () => {
    const other = Buffer.from("30080606040 08e460104".replaceAll(" ", ""), "hex");
    expect(readQcStatements(sequence(other)).psd2).toBeUndefined();
  });
});

describe("C8: qcStatements are refused", () => {
  it.each([
    ["a qcStatement", []],
    ["PSD2 statement", [1]],
    ["PSD2 statement has an unknown role", [1, 0, 0]],
  ] as const)("that hold more than they have to: %s", (said, path) => {
    const statement = fromBER(new Uint8Array(vector)).result;
    const whole = path.reduce((value, index) => within(value)[index], statement as unknown);
    within(whole).push(new Null());
    const read = () => readQcStatements(sequence(new Uint8Array(statement.toBER())));
    expect(read).toThrow(said);
  });

  const within = (value: unknown) => {
    if (!(value instanceof Constructed)) throw new Error("nothing within it");
    return value.valueBlock.value;
  };
});

describe("the sandbox's encoder", () => {
  it("writes the PSD2 statement as others do", () => {
    const roles = (["PSP_PI", "PSP_AI", "PSP_IC"] as const).map(writtenRole);
    const written = psd2Statement(roles, psd2.authorityName, psd2.authorityId);
    expect(Buffer.from(written).toString("hex")).toBe(vector.toString("hex"));
  });
});
