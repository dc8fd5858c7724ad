"""The pages of one table, and what runs behind them."""
