import { type Fact, type Refusal, refusalIn, type Step, type Verdict } from "@/lib/workshop/step";
import { Result } from "./result";

/** What the bank sees, step by step, and first of all what it answers. */
export function Walk({ steps }: { readonly steps: readonly Step[] }) {
  const refusal = refusalIn(steps);
  return (
    <Result id="what-the-bank-sees" title="What the bank sees">
      {refusal === undefined ? (
        <p className="good-news">
          The bank goes on with it. Its path, token and content are not judged here.
        </p>
      ) : (
        <div className="error-summary" role="alert">
          <p>The bank answers</p>
          <Answer refusal={refusal} />
        </div>
      )}
      <ol className="walk">
        {steps.map((step) => (
          <StepView key={step.title} step={step} />
        ))}
      </ol>
    </Result>
  );
}

function StepView({ step: { title, facts, verdict } }: { readonly step: Step }) {
  return (
    <li className={`walk-${verdict.kind.replace(" ", "-")}`}>
      <h4>
        {title} <span className="tag">{verdict.kind}</span>
      </h4>
      <Outcome verdict={verdict} />
      {facts.length > 0 && (
        <dl className="terms">
          {facts.map((fact) => (
            <FactView key={fact.label} fact={fact} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Outcome({ verdict }: { readonly verdict: Verdict }) {
  if (verdict.kind === "failed") return <Answer refusal={verdict.refusal} />;
  return verdict.kind === "passed" ? null : <p className="hint">{verdict.because}</p>;
}

function Answer({ refusal: { status, code, text, path } }: { readonly refusal: Refusal }) {
  return (
    <p className="answer">
      <strong>{`${status} ${code}`}</strong>
      {path !== undefined && ` at ${path}`}: <span>{text}</span>
    </p>
  );
}

function FactView({ fact: { label, value, block } }: { readonly fact: Fact }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {block === true ? (
          <pre>
            <code>{value}</code>
          </pre>
        ) : (
          <code className={/\s/.test(value) ? undefined : "unbroken"}>{value}</code>
        )}
      </dd>
    </>
  );
}
