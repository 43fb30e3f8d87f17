//! Results of `analyze` as one page that needs nothing beside it: no script, no other file, no network.

use super::analysed::AnalysedDocument;
use super::figures::{count, percent};
use super::lint::level;
use super::svg::{self, escaped};
use super::words::say;
use crate::analysis::findings::Finding;
use crate::analysis::report::{Report, VerdictSeverity};
use crate::bytes::base64;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = include_str!("html_style.css");
/// Regions that are listed.
const LISTED: usize = 500;

/// The page. Everything in it that a person wrote is escaped.
pub fn report(analysed: &AnalysedDocument<'_>) -> String {
    let AnalysedDocument { document, report, findings, .. } = *analysed;
    let title = document.title();
    let mut page = head(&title);
    verdict(analysed, &title, &mut page);
    for line in analysed.summary() {
        put(&mut page, format_args!("<p>{}</p>\n", escaped(&line)));
    }
    if let Some(image) = svg::image(report, &title) {
        put(&mut page, format_args!("<div class=\"picture\">\n{image}</div>\n"));
    }
    if !findings.is_empty() {
        put(&mut page, format_args!("<h2>{}</h2>\n", escaped(&say("cli.findings", &[]))));
    }
    findings.iter().for_each(|one| finding(one, &mut page));
    regions(report, &mut page);
    put(&mut page, format_args!("</main>\n</body>\n</html>\n"));
    page
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = page.write_fmt(text);
}

/// The page up to what it shows.
fn head(title: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE))
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Rowscape</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n",
        title = escaped(title),
    )
}

fn verdict(analysed: &AnalysedDocument<'_>, title: &str, page: &mut String) {
    let rowkey = analysed.document.design().map(|design| design.rowkey.as_str()).unwrap_or_default();
    let (severity, sentence, also) = analysed.headline();
    let (class, word) = match severity {
        VerdictSeverity::Good => ("good", "cli.good"),
        VerdictSeverity::Warning => ("warning", "cli.warning"),
        VerdictSeverity::Bad => ("bad", "cli.bad"),
    };
    put(
        page,
        format_args!(
            "<h1>{title}</h1>\n<p class=\"quiet\"><code>{rowkey}</code></p>\n\
             <p class=\"verdict {class}\"><strong>{word}</strong>{verdict}</p>\n",
            title = escaped(title),
            rowkey = escaped(rowkey),
            word = escaped(&say(word, &[])),
            verdict = escaped(sentence),
        ),
    );
    if !also.is_empty() {
        put(page, format_args!("<p>{}</p>\n", escaped(also)));
    }
}

fn finding(finding: &Finding, page: &mut String) {
    let (class, _) = level(finding.severity);
    put(
        page,
        format_args!(
            "<section class=\"finding {class}\">\n<p><strong>{code}</strong>{title}</p>\n{detail}<p class=\"quiet\">{why}</p>\n<p>{remedy}</p>\n",
            code = finding.code,
            title = escaped(&finding.title),
            detail = if finding.detail.is_empty() {
                String::new()
            } else {
                format!("<p>{}</p>\n", escaped(&finding.detail))
            },
            why = escaped(&finding.why),
            remedy = escaped(&finding.remedy),
        ),
    );
    if let Some(fix) = &finding.fix {
        if let Some(rowkey) = &fix.rowkey {
            put(page, format_args!("<p><code>{}</code></p>\n", escaped(rowkey)));
        }
        let costs: Vec<String> = fix.costs.iter().map(|cost| escaped(&cost.message)).collect();
        if !costs.is_empty() {
            put(page, format_args!("<p class=\"quiet\">{}</p>\n", costs.join(" ")));
        }
    }
    put(page, format_args!("</section>\n"));
}

fn regions(report: &Report, page: &mut String) {
    let heading = |code: &str| escaped(&say(code, &[]));
    let listed = report.regions.get(..LISTED).unwrap_or(&report.regions);
    let shared = listed.iter().any(|region| region.rows != region.records);
    put(
        page,
        format_args!(
            "<h2>{}</h2>\n<div class=\"table\"><table>\n<thead><tr><th class=\"number\">{}</th><th>{}</th><th>{}</th>\
             <th class=\"number\">{}</th>{}<th class=\"number\">{}</th></tr></thead>\n<tbody>\n",
            heading("cli.regions"),
            heading("cli.region"),
            heading("cli.start"),
            heading("cli.stop"),
            heading("cli.rows"),
            if shared {
                format!("<th class=\"number\">{}</th>", heading("cli.records"))
            } else {
                String::new()
            },
            heading("cli.share"),
        ),
    );
    for region in listed {
        let records = match shared {
            true => format!("<td class=\"number\">{}</td>", count(u64::from(region.records))),
            false => String::new(),
        };
        put(
            page,
            format_args!(
                "<tr><td class=\"number\">{}</td><td><code>{}</code></td><td><code>{}</code></td>\
                 <td class=\"number\">{}</td>{records}<td class=\"number\">{}</td></tr>\n",
                region.index,
                escaped(&region.start),
                escaped(&region.stop),
                count(u64::from(region.rows)),
                percent(region.share),
            ),
        );
    }
    put(page, format_args!("</tbody>\n</table></div>\n"));
}
