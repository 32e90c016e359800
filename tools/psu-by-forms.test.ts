import { expect, it } from "vitest";
import { formsOf } from "./psu-by-forms";

const page = `
<form action="" method="POST">
  <input type="hidden" name="$ACTION_1:0" value="{&quot;id&quot;:&quot;a&#x27;b&quot;}"/>
  <label for="user">User ID</label><input id="user" name="userId" autoComplete="username"/>
  <input type="checkbox" name="account" value="one" checked=""/>
  <input type="checkbox" name="all"/>
  <button type="submit" name="step" value="on">Log <b>in</b> &amp; continue</button>
</form>
<form action="/cancel?a=1&amp;b=2" method="post"><button>Cancel</button></form>`;

const [login, cancel] = formsOf(page);

it("a form is read with its inputs and buttons, as a browser would send them", () => {
  expect(login?.inputs).toEqual([
    { type: "hidden", name: "$ACTION_1:0", value: `{"id":"a'b"}`, checked: false },
    { type: "text", name: "userId", value: "", checked: false },
    { type: "checkbox", name: "account", value: "one", checked: true },
    { type: "checkbox", name: "all", value: "on", checked: false },
  ]);
  expect(login?.buttons).toEqual([{ text: "Log in & continue", name: "step", value: "on" }]);
});

it("each form of a page stands alone", () => {
  expect(cancel?.action).toBe("/cancel?a=1&b=2");
  expect(cancel?.inputs).toEqual([]);
});

it("a button outside its form, or within another, is of the form that it names", () => {
  const [question, no] = formsOf(`
<form action="/yes"><button>Yes</button><button form="no">Cancel</button></form>
<form action="/no" id="no"><input type="hidden" name="step" value="no"/></form>`);
  expect(question?.buttons).toEqual([{ text: "Yes", name: "", value: "" }]);
  expect(no?.buttons).toEqual([{ text: "Cancel", name: "", value: "" }]);
});
