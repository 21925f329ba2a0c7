"""A page that shows the card table without Streamlit, and data to show on it."""
