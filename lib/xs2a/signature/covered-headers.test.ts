import { describe, expect, it } from "vitest";
import { invalid, thrown } from "../testing/refusal";
import { checkCoveredHeaders } from "./covered-headers";

describe("what the signature covers", () => {
  const all = ["digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri"];
  const headers = new Headers(all.map((name): [string, string] => [name, "x"]));
  const subsets = Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_name, index) => (bits & (2 ** index)) > 0),
  );

  it.each(subsets.map((subset) => [subset.join(" ")]))("S2: %j alone is not enough", (subset) => {
    const error = thrown(() => checkCoveredHeaders(subset.split(" "), headers));
    expect(error).toMatchObject(invalid("does not cover"));
  });

  it("is everything that has to be covered, in any order, and more if the TPP likes", () => {
    const more = new Headers([...headers, ["psu-ip-address", "192.0.2.1"]]);
    const signed = ["(request-target)", "psu-ip-address", ...all.toReversed()];
    expect(thrown(() => checkCoveredHeaders(signed, more))).toBeUndefined();
  });

  it("S3: a listed header that the request does not have is refused", () => {
    const error = thrown(() => checkCoveredHeaders([...all, "psu-ip-address"], headers));
    expect(error).toMatchObject(invalid("the request has no PSU-IP-Address"));
  });
});
