import { Lead, Part, Term, Terms } from "@/components/text";
import { healthView } from "@/lib/staff/health-and-keys";
import { HEALTH } from "@/lib/staff/paths";
import { StaffPage, staffPage } from "../../staff-page";

export default function HealthPage() {
  return staffPage({ action: "see-statistics", path: HEALTH, load: healthView }, (frame, view) => {
    const { texts, visit } = frame;
    const { health: words } = texts;
    const at = (instant: Date | undefined) =>
      instant === undefined
        ? words.nothing
        : texts.instant(instant, visit.services.profile.timeZone);
    const asked = ["database", "coreBank", "customers", "staff"] as const;
    const { waiting, failing, since } = view.webhooks;
    const queues = [
      [words.paymentWaits, view.paymentWaitsSince],
      [words.sealed, view.sealedAt],
      [words.unsent, view.sealUnsentSince],
      [words.countedTo, view.countedTo],
    ] as const;
    return (
      <StaffPage frame={frame} heading={words.heading}>
        <Lead>{words.lead}</Lead>
        <Part id="answers" heading={words.answers}>
          <Terms>
            {asked.map((one) => (
              <Term key={one} label={words.of[one]}>
                <strong>{answerOf(words, view.answers[one])}</strong>
              </Term>
            ))}
          </Terms>
        </Part>
        <Part id="jobs" heading={words.jobs}>
          <Terms>
            {view.jobs.map(({ name, endedAt }) => (
              <Term key={name} label={words.job[name] ?? name}>
                {at(endedAt)}
              </Term>
            ))}
          </Terms>
        </Part>
        <Part id="queues" heading={words.queues}>
          <Terms>
            {queues.map(([label, instant]) => (
              <Term key={label} label={label}>
                {at(instant)}
              </Term>
            ))}
            <Term label={words.webhooks}>
              {waiting === 0 ? words.nothing : words.outbox(waiting, failing, at(since))}
            </Term>
          </Terms>
        </Part>
      </StaffPage>
    );
  });
}

type Words = Readonly<Record<"yes" | "no" | "notNamed", string>>;

function answerOf({ yes, no, notNamed }: Words, answers: boolean | undefined): string {
  if (answers === undefined) return notNamed;
  return answers ? yes : no;
}
