// SPDX-License-Identifier: Apache-2.0
// Sets every formula of the page with KaTeX.
document.addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll(".math-inline, .math-block")) {
        const displayMode = element.classList.contains("math-block");
        katex.render(element.textContent, element, { displayMode, throwOnError: false });
    }
});
