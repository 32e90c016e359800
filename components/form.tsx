import type { HTMLAttributes, InputHTMLAttributes, ReactNode } from "react";
import { Button, TextButton } from "./button";
import { Detail, Unseen } from "./text";

type Props = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: FieldFault | undefined;
  /** A code is short, with space between its digits. */
  readonly kind?: "text" | "code";
  readonly input: Omit<InputHTMLAttributes<HTMLInputElement>, "className"> & {
    readonly name: string;
  };
};

const fieldBox =
  "min-h-12 w-full rounded-field border bg-card px-3 py-2 aria-[invalid=false]:border-edge aria-[invalid=true]:border-2 aria-[invalid=true]:border-error";
const fieldKinds = {
  text: "text-field",
  code: "max-w-48 text-code tracking-[0.22em] tabular-nums",
};

/** Label, hint, what is wrong, and the field, in the order in which they are read out. */
export function TextField({ id, label, hint, fault, kind = "text", input }: Props) {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const faultId = fault === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, faultId].filter((part) => part !== undefined).join(" ");
  return (
    <div className="mt-5 max-w-field">
      <label htmlFor={id} className="mb-1 block font-strong">
        {label}
      </label>
      {hint !== undefined && <Hint id={hintId}>{hint}</Hint>}
      <FieldError id={`${id}-error`} fault={fault} />
      <input
        {...input}
        id={id}
        className={`${fieldBox} ${fieldKinds[kind]}`}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy === "" ? undefined : describedBy}
      />
    </div>
  );
}

type AreaProps = {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly fault?: FieldFault | undefined;
  /** What was written before. */
  readonly text?: string | undefined;
  readonly charactersMax: number;
  readonly required?: boolean;
};

export function TextArea(props: AreaProps) {
  const { id, label, hint, fault, text, charactersMax, required = false } = props;
  return (
    <div className="mt-5">
      <label htmlFor={id} className="mb-1 block font-strong">
        {label}
      </label>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <FieldError id={`${id}-error`} fault={fault} />
      <textarea
        id={id}
        name={id}
        rows={4}
        maxLength={charactersMax}
        required={required}
        defaultValue={text}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        className={fieldBox}
      />
    </div>
  );
}

type SelectFieldProps = {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly chosen: string;
  readonly fault?: FieldFault | undefined;
  /** The browser does not send the form while a value without characters is chosen. */
  readonly required?: boolean;
  /** Each value with what is shown for it. */
  readonly options: readonly (readonly [value: string, text: string])[];
};

/** One of a few, chosen in a list that opens. */
export function SelectField(props: SelectFieldProps) {
  const { id, label, name, chosen, fault, required = false, options } = props;
  return (
    <div className="mt-5 max-w-field">
      <label htmlFor={id} className="mb-1 block font-strong">
        {label}
      </label>
      <FieldError id={`${id}-error`} fault={fault} />
      <select
        id={id}
        name={name}
        defaultValue={chosen}
        required={required}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && `${id}-error`}
        className={fieldBox}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

type SearchFormProps = { readonly action: string; readonly children: ReactNode };

/** Changes nothing: what is looked for is in the address. */
export function SearchForm({ action, children }: SearchFormProps) {
  return (
    <search>
      <form method="get" action={action} className="mt-6 rounded-card bg-sunk p-5 print:hidden">
        {children}
      </form>
    </search>
  );
}

type PostFormProps = {
  readonly action: string;
  readonly token: string;
  /** Buttons elsewhere on the page name the form by it. */
  readonly id?: string;
  /** The page's script sends it by itself, until the bank has an answer. */
  readonly waits?: boolean;
  /** The browser says what is missing, before it sends what was written. */
  readonly checkedByBrowser?: boolean;
  readonly children?: ReactNode;
};

/** A form of ours, with its token. As a rule what is wrong is said by the page, not by the browser. */
export function PostForm(props: PostFormProps) {
  const { action, token, id, waits = false, checkedByBrowser = false, children } = props;
  return (
    <form
      id={id}
      method="post"
      action={action}
      noValidate={!checkedByBrowser}
      data-waits={waits || undefined}
    >
      <input type="hidden" name="token" value={token} />
      {children}
    </form>
  );
}

export type FieldFault = {
  /** Read out, not seen: `Error:`. */
  readonly prefix: string;
  readonly text: string;
};

type FieldErrorProps = { readonly id: string; readonly fault: FieldFault | undefined };

/** The text of the error summary, once more at the field. */
export function FieldError({ id, fault }: FieldErrorProps) {
  if (fault === undefined) return null;
  return (
    <FaultText id={id}>
      <Unseen>{fault.prefix} </Unseen>
      {fault.text}
    </FaultText>
  );
}

/** Says what is wrong, at the field. */
function FaultText(props: Omit<HTMLAttributes<HTMLParagraphElement>, "className">) {
  return <p {...props} className="mb-1.5 font-strong text-error" />;
}

type HintProps = { readonly id?: string | undefined; readonly children: ReactNode };

/** Read out with the field that it stands at. */
export function Hint({ id, children }: HintProps) {
  return (
    <p id={id} className="mb-1.5 text-muted">
      {children}
    </p>
  );
}

type ChoicesProps = {
  readonly id: string;
  readonly legend: string;
  readonly all: { readonly label: string; readonly hint: string };
  readonly fault: FieldFault | undefined;
  readonly children: ReactNode;
};

/** Any number of many, one of them or all at once. */
export function Choices({ id, legend, all, fault, children }: ChoicesProps) {
  const faultId = fault === undefined ? undefined : `${id}-error`;
  const edge = fault === undefined ? "" : "border-s-4 border-error ps-4";
  return (
    <fieldset className={`group/choices mt-6 min-w-0 ${edge}`} aria-describedby={faultId}>
      <legend className="mb-2 font-strong">{legend}</legend>
      <FieldError id={`${id}-error`} fault={fault} />
      <ChooseAll {...all} />
      <ul className="grid gap-2.5">{children}</ul>
    </fieldset>
  );
}

type ChoiceProps = {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  /** In the label: all that names the choice. */
  readonly children: ReactNode;
  /** What else is to be said of it. */
  readonly tag?: string | undefined;
};

const row =
  "relative grid grid-cols-[auto_1fr] items-center gap-x-3.5 rounded-box border-2 px-4 wide:grid-cols-[auto_1fr_auto]";
/** Ticked, or shared by Select all, which overrides the single boxes. */
const chosen =
  "border-line has-checked:border-brand has-checked:bg-tint group-has-[#all:checked]/choices:border-brand group-has-[#all:checked]/choices:bg-tint";
const choiceBox =
  "relative z-1 grid size-6 appearance-none place-content-center rounded-[0.3rem] border-2 border-edge bg-card before:size-3.5 before:bg-on-brand before:opacity-0 before:[clip-path:polygon(14%_44%,0_65%,45%_100%,100%_16%,80%_0%,40%_62%)] checked:border-brand checked:bg-brand checked:before:opacity-100 forced-colors:appearance-auto";
const boxOfMany =
  "group-has-[#all:checked]/choices:border-brand group-has-[#all:checked]/choices:bg-brand group-has-[#all:checked]/choices:opacity-60 group-has-[#all:checked]/choices:before:opacity-100";
/** The whole row is the target. */
const label = "wrap-anywhere after:absolute after:inset-0 after:cursor-pointer";

/** One of several to tick. */
export function Choice({ id, name, value, checked, children, tag }: ChoiceProps) {
  const tagId = tag === undefined ? undefined : `${id}-hint`;
  return (
    <li className={`py-3 ${row} ${chosen}`}>
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={tagId}
        className={`${choiceBox} ${boxOfMany}`}
      />
      <label htmlFor={id} className={label}>
        {children}
      </label>
      {tag !== undefined && (
        <span className="max-wide:col-start-2">
          <span
            id={tagId}
            className="rounded-full border border-edge px-2.5 py-px text-small text-muted"
          >
            {tag}
          </span>
        </span>
      )}
    </li>
  );
}

function ChooseAll({ label: text, hint }: ChoicesProps["all"]) {
  return (
    <div className={`mb-2.5 border-transparent py-1.5 ${row}`}>
      <input
        type="checkbox"
        id="all"
        name="all"
        value="yes"
        aria-describedby="all-hint"
        className={choiceBox}
      />
      <label htmlFor="all" className={`font-strong ${label}`}>
        {text}
      </label>
      <span className="col-start-2">
        <Detail id="all-hint">{hint}</Detail>
      </span>
    </div>
  );
}

type PasskeyFormProps = {
  readonly id: string;
  readonly action: string;
  readonly token: string;
  /** Has a passkey sign something, or has one made. */
  readonly does?: "use" | "make";
  /** Where the page's script asks what is to be signed, with a token of its own. */
  readonly optionsAt: string;
  readonly optionsToken: string;
  readonly cancelled: string;
  readonly children?: ReactNode;
};

/** The form that the browser's own prompt fills in. Its button is hidden until the script shows it. */
export function PasskeyForm({
  id,
  action,
  token,
  cancelled,
  children,
  ...asking
}: PasskeyFormProps) {
  return (
    <>
      <FaultText id={`${id}-cancelled`} role="alert" hidden>
        {cancelled}
      </FaultText>
      <PostForm action={action} token={token} id={id}>
        <input
          type="hidden"
          name="assertion"
          data-passkey={asking.does ?? "use"}
          data-options-at={asking.optionsAt}
          data-options-token={asking.optionsToken}
        />
        {children}
      </PostForm>
    </>
  );
}

type PasskeyButtonProps = {
  readonly form: string;
  readonly label: string;
  readonly kind?: "main" | "text";
};

export function PasskeyButton({ form, label, kind = "main" }: PasskeyButtonProps) {
  const Sends = kind === "main" ? Button : TextButton;
  return (
    <Sends form={form} id="passkey" hidden data-with-passkey="">
      {label}
    </Sends>
  );
}

type PasskeyProofProps = {
  readonly fault: FieldFault | undefined;
  /** Undefined for a PSU who has no passkey. */
  readonly form: Omit<PasskeyFormProps, "children" | "does"> | undefined;
  readonly children?: ReactNode;
};

/** What the passkey's button needs, and what came of it. */
export function PasskeyProof({ fault, form, children }: PasskeyProofProps) {
  const error = <FieldError id="passkey-error" fault={fault} />;
  if (form !== undefined) {
    return (
      <>
        {error}
        <PasskeyForm {...form}>{children}</PasskeyForm>
      </>
    );
  }
  // The last one may have been removed while it was being used: the error's link leads here.
  return fault === undefined ? null : <div id="passkey">{error}</div>;
}
