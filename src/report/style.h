// How a report looks, on a screen and on paper.
#pragma once

namespace data_import::report {

inline constexpr const char* style = R"(
:root { color: #16202c; background: #fff; font: 10.5pt/1.45 system-ui, 'Liberation Sans', Arial, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; padding-bottom: .2rem; border-bottom: 2px solid #16202c; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; }
.dim, figcaption, small { color: #55606e; }
.whole { white-space: nowrap; }
code { font: .85em 'Liberation Mono', monospace; overflow-wrap: anywhere; }
.verdict { display: inline-block; margin: .6rem 0; padding: .25rem .9rem; border: 1.5px solid; border-radius: .4rem; font-weight: 700; }
.good { color: #05603f; }
.bad { color: #a3211a; }
.draft { margin: 0 0 1.2rem; padding: .4rem .9rem; border: 2px solid #a3211a; color: #a3211a; font-weight: 700; }
.stamp { display: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .6rem 0; }
dt { color: #55606e; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: .4rem 0; }
th { padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: bottom; font-weight: 600; font-size: .88em; border-bottom: 1px solid #55606e; }
td { padding: .22rem .8rem .22rem 0; vertical-align: top; border-bottom: 1px solid #d5dae1; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.open td { background: #fbe9e7; }
figure { margin: .6rem 0; }
figure > svg { display: block; width: 100%; height: auto; }
figure text { font-size: 9.5px; fill: #55606e; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: .3rem 0 0; padding: 0; list-style: none; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 3rem; margin-top: 3.5rem; }
.sign div { padding-top: .3rem; border-top: 1px solid #16202c; }
@page { size: A4; margin: 18mm 16mm 20mm; @bottom-right { content: counter(page) ' / ' counter(pages); font: 8.5pt sans-serif; color: #55606e; } }
@media print {
    body { max-width: none; margin: 0; padding: 0; }
    h2, h3, figcaption, thead { break-after: avoid; }
    thead { display: table-header-group; }
    tr, figure, .verdict, .draft, .end, dl { break-inside: avoid; }
    * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .stamp { display: block; position: fixed; z-index: -1; top: 42%; left: 0; right: 0; text-align: center;
             font-size: 54pt; font-weight: 800; color: #f3d3d0; transform: rotate(-30deg); }
}
)";

/// Added to the style of a draft, so that every page says so.
inline constexpr const char* draft_style = R"(
@page { @top-center { content: 'DRAFT – not signed'; font: bold 9pt sans-serif; color: #a3211a; } }
)";

}  // namespace data_import::report
