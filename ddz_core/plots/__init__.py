"""Plotly figures made from results, one module a plot; plotly is loaded with the first figure.

Layer 4. Texts come in the reader's words; colours are the tokens of the look. Give the figures to
``st.plotly_chart(figure, theme=None)``, or show them in a notebook as they are.
"""

from __future__ import annotations
