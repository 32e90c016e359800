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

  it.each([
    ["https://tpp.example.evil.example/nok"],
    ["https://tpp.example:8443/nok"],
    ["http://tpp.example/nok"],
    ["javascript:alert(1)"],
  ])("O12: an unsigned TPP-Nok-Redirect-URI does not lead to another host: %s", (nok) => {
    const sent = withUris(nok);
    expect(thrown(() => checkCoveredHeaders(all, sent))).toMatchObject(
      invalid("does not cover tpp-nok-redirect-uri"),
    );
    const signed = [...all, "tpp-nok-redirect-uri"];
    expect(thrown(() => checkCoveredHeaders(signed, sent))).toBeUndefined();
  });

  it("may be without a TPP-Nok-Redirect-URI on the host of the signed URI", () => {
    const sent = withUris("https://tpp.example/nok?reason=1");
    expect(thrown(() => checkCoveredHeaders(all, sent))).toBeUndefined();
  });

  function withUris(nok: string): Headers {
    const sent = new Headers(headers);
    sent.set("tpp-redirect-uri", "https://tpp.example/ok");
    sent.set("tpp-nok-redirect-uri", nok);
    return sent;
  }
});
