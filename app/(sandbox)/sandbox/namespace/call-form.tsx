"use client";

import { Fragment, useActionState } from "react";
import { SelectField, TextField } from "@/components/form";
import type { CallForm as Form, FormField } from "@/lib/sandbox/api/forms";
import { Result } from "../workshop/result";
import { callAction } from "./actions";

type Options = readonly (readonly [value: string, text: string])[];

type Props = {
  readonly call: Form;
  /** What there is to choose from for fields of these names. */
  readonly known: Readonly<Record<string, Options>>;
};

export function CallForm({ call, known }: Props) {
  const [state, action] = useActionState(callAction, undefined);
  const { operationId, fields } = call;
  const last = state?.operationId === operationId ? state : undefined;
  return (
    <>
      <Fragment key={`answer ${last?.key}`}>
        {last !== undefined && (
          <Result id="answer" title="The answer">
            <pre>
              <code>{last.answer}</code>
            </pre>
          </Result>
        )}
      </Fragment>
      <form action={action} noValidate key={`form ${operationId} ${last?.key}`}>
        <input type="hidden" name="operation" value={operationId} />
        {fields.map((field) => (
          <CallField
            key={field.name}
            field={{ ...field, value: last?.filled[field.name] ?? field.value }}
            options={known[field.name] ?? field.choices?.map((one) => [one, one])}
          />
        ))}
        <p className="actions">
          <button type="submit">Send</button>
        </p>
      </form>
    </>
  );
}

type FieldProps = { readonly field: FormField; readonly options: Options | undefined };

function CallField({ field: { name, hint, value, isRequired }, options }: FieldProps) {
  const id = `call-${name}`;
  if (options !== undefined && options.length > 0) {
    return <SelectField {...{ id, name, options }} label={name} chosen={value} />;
  }
  return (
    <TextField
      id={id}
      label={name}
      hint={hint === "" ? undefined : hint}
      input={{ name, defaultValue: value, autoComplete: "off", required: isRequired }}
    />
  );
}
