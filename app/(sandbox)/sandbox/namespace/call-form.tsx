"use client";

import { Fragment, useActionState } from "react";
import { SelectField, TextField } from "@/components/form";
import { Result, WideField } from "../workshop/result";
import { callAction } from "./actions";

type Props = { readonly operations: readonly (readonly [id: string, text: string])[] };

const EMPTY = {
  operationId: "createPsu",
  id: "",
  body: '{ "login": "maria", "name": "Maria Ene" }',
};

/** Any call of the sandbox API, and its answer. */
export function CallForm({ operations }: Props) {
  const [state, action] = useActionState(callAction, undefined);
  const { operationId, id, body } = state?.filled ?? EMPTY;
  return (
    <>
      <Fragment key={`answer ${state?.key}`}>
        {state !== undefined && (
          <Result id="answer" title="The answer">
            <pre>
              <code>{state.answer}</code>
            </pre>
          </Result>
        )}
      </Fragment>
      <form action={action} noValidate key={`form ${state?.key}`}>
        <SelectField
          id="operation"
          name="operation"
          label="Call"
          chosen={operationId}
          options={operations}
        />
        <TextField
          id="id"
          label="psuId or accountId"
          hint="Where the call is about one."
          fault={undefined}
          input={{ name: "id", defaultValue: id, autoComplete: "off" }}
        />
        <WideField id="body" label="Body" hint="JSON, as the API takes it." fault={undefined}>
          {(described) => (
            <textarea id="body" name="body" rows={6} defaultValue={body} {...described} />
          )}
        </WideField>
        <p className="actions">
          <button type="submit">Send</button>
        </p>
      </form>
    </>
  );
}
