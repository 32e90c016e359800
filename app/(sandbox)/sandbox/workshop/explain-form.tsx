"use client";

import { Fragment, useActionState } from "react";
import { type FieldFault, TextField } from "@/components/form";
import { type Fact, type Refusal, refusalIn, type Step, type Verdict } from "@/lib/workshop/step";
import { explainAction } from "./actions";
import type { ExplainFields } from "./form";
import { RefusedForm, Result, WideField } from "./result";

const EMPTY: ExplainFields = { request: "", certificate: "", at: "" };

/** A request goes in, and the bank's view of it comes out; with and without JavaScript. */
export function ExplainForm() {
  const [state, action] = useActionState(explainAction, undefined);
  const { filled, outcome } = state ?? { filled: EMPTY, outcome: undefined };
  const fault = outcome?.kind === "fault" ? outcome.fault : undefined;
  const faultOf = (field: keyof ExplainFields) =>
    fault?.field === field ? { prefix: "Error:", text: fault.text } : undefined;
  return (
    <>
      <Fragment key={`answer ${state?.id}`}>
        {fault !== undefined && (
          <RefusedForm title="That cannot be explained" text={fault.text} field={fault.field} />
        )}
        {outcome?.kind === "steps" && <Walk steps={outcome.steps} />}
      </Fragment>
      <form action={action} noValidate key={`form ${state?.id}`}>
        <TextArea
          id="request"
          name="request"
          label="Request"
          hint="Request line, headers, a blank line, the body; or what curl -v prints, with the body added below. Access tokens are hidden when it is shown again."
          rows={14}
          fault={faultOf("request")}
          text={filled.request}
        />
        <TextArea
          id="certificate"
          name="certificate"
          label="QWAC (optional)"
          hint="In PEM, unless the request has the header Client-Cert."
          rows={5}
          fault={faultOf("certificate")}
          text={filled.certificate}
        />
        <TextField
          id="at"
          label="When it arrived (optional)"
          hint="As in 2027-05-20T10:00:00Z; now when left empty."
          fault={faultOf("at")}
          input={{ name: "at", defaultValue: filled.at, autoComplete: "off" }}
        />
        <p className="actions">
          <button type="submit">Explain</button>
        </p>
      </form>
    </>
  );
}

type Props = {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly fault: FieldFault | undefined;
  readonly text: string;
};

/** A field for what is copied from elsewhere: every character is of the same width. */
function TextArea({ id, name, label, hint, rows, fault, text }: Props) {
  return (
    <WideField id={id} label={label} hint={hint} fault={fault}>
      {(described) => (
        <textarea
          id={id}
          name={name}
          rows={rows}
          defaultValue={text}
          spellCheck={false}
          autoComplete="off"
          {...described}
        />
      )}
    </WideField>
  );
}

/** What the bank sees, step by step, and first of all what it answers. */
function Walk({ steps }: { readonly steps: readonly Step[] }) {
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
      <Steps steps={steps} />
    </Result>
  );
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="walk">
      {steps.map((step) => (
        <StepView key={step.title} step={step} />
      ))}
    </ol>
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
