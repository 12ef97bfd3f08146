//! What all pages share: one file that needs nothing but itself, in light and dark, on desktops and phones.

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, context};

const FRAME: &str = include_str!("frame.html");

/// What all pages look like.
const STYLE_SHEET: &str = include_str!("style.css");

/// The page that `template`, which extends `frame.html`, makes of `content`: its `title`, perhaps a `script`, and whatever the template
/// asks for. `style_sheets` come after the one of all pages.
///
/// # Errors
/// Never, as long as the template is sound.
pub(crate) fn render(template: &str, style_sheets: &[&str], content: Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("frame.html", FRAME)?;
    let style = [&[STYLE_SHEET], style_sheets].concat().join("\n");
    let frame_style = Value::from_safe_string(style);
    environment.render_str(template, context! { frame_style, frame_version => env!("CARGO_PKG_VERSION"), ..content })
}

/// Markup that is put in as it is.
pub(crate) fn markup(text: impl Into<String>) -> Value {
    Value::from_safe_string(text.into())
}
