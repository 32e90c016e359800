"use client";

import { Fragment, useActionState } from "react";
import { TextField } from "@/components/text-field";
import { explainAction } from "./explain-action";
import { RefusedForm } from "./refused-form";
import type { ExplainFields } from "./state";
import { TextArea } from "./text-area";
import { Walk } from "./walk";

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
