import { after } from "@/lib/domain/clock";
import { type CorpusCertificate, outOfPeriod, qseal, qwac } from "./corpus-row";
import { now } from "./issuing";

const clock = "the bank's clock says 2027-03-01T12:00:00Z";
const over = outOfPeriod(`certificate was valid until 2027-03-01T11:59:59Z, ${clock}`);
const early = outOfPeriod(`certificate is not valid before 2027-03-01T12:00:01Z, ${clock}`);
const aSecondAgo = after(now, -1, "second");
const inASecond = after(now, 1, "second");

export const outOfPeriodCertificates: readonly CorpusCertificate[] = [
  qwac("C3: expired a second ago", { notAfter: aSecondAgo }, over),
  qwac("C3: valid in a second", { notBefore: inASecond }, early),
  qwac("C3: expired before it began", { notBefore: inASecond, notAfter: aSecondAgo }, early),
  qseal("C3: a seal that expired a second ago", { notAfter: aSecondAgo }, over),
  qseal("C3: a seal that is valid in a second", { notBefore: inASecond }, early),
];
